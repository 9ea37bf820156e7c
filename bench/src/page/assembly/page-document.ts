import { documentMarkers, siteOriginPlaceholder } from '@countersign/contracts/part-manifest';
import { siteConfigElementId } from '@countersign/contracts/site-config';
import { documentTemplate } from '../../../../shell/src/document/document-template.ts';
import { rootElementId } from '../../../../shell/src/document/element-ids.ts';
import { landingMetadata } from '../../../../shell/src/document/head-metadata.ts';

interface PageAssets {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Fonts to load ahead. */
  readonly fonts?: readonly string[];
  /** What the page shows before its script has run. */
  readonly markup?: string;
}

const site = { appHost: 'https://app.countersign.example', siteOrigin: 'https://www.countersign.example' };

/** The shell's document with its metadata and its splash, for a page that webpack alone has put together. */
export function pageDocument({ scripts, styles, fonts = [], markup = '' }: PageAssets): string {
  const config = JSON.stringify({ ...site, defaultTheme: 'system' });
  const head = [
    ...fonts.map(
      (url) => `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin="anonymous">`,
    ),
    `<script type="application/json" id="${siteConfigElementId}">${config}</script>`,
    ...scripts.map((url) => `<script src="${url}" defer></script>`),
    ...styles.map((url) => `<link rel="stylesheet" href="${url}">`),
  ];
  const root = `<div id="${rootElementId}" inert>`;
  return documentTemplate(landingMetadata)
    .replaceAll(siteOriginPlaceholder, site.siteOrigin)
    .replace(documentMarkers.policy, '')
    .replace(documentMarkers.head, () => head.join('\n'))
    .replace(documentMarkers.scripts, '')
    .replace(root, () => root + markup);
}

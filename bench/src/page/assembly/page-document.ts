import { brand } from '@countersign/contracts/brand';
import { siteConfigElementId } from '@countersign/contracts/page-markup';
import { siteOriginPlaceholder } from '@countersign/contracts/part-manifest';
import { tokensStylesheet } from '@countersign/design-tokens';
import {
  loadingStatusElementId,
  rootElementId,
  splashElementId,
} from '../../../../shell/src/page/element-ids.ts';
import { landingMetadata } from '../../../../shell/src/document/head-metadata.ts';
import { splashStyles } from '../../../../shell/src/splash/splash-styles.ts';
import { themeScript } from '../../../../shell/src/theme/apply-theme-before-paint.ts';
import { themeStorageKey } from '@countersign/contracts/shell-api';

interface PageAssets {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Fonts to preload. */
  readonly fonts?: readonly string[];
  /** Prerendered markup. */
  readonly markup?: string;
}

const config = { appHost: 'https://app.countersign.example', defaultTheme: 'system' };
/** Ends the splash two seconds after the navigation, as the shell does. */
const splashScript = `setTimeout(()=>{document.getElementById("${splashElementId}").remove();document.getElementById("${rootElementId}").inert=false},Math.max(0,2000-performance.now()))`;

/** HTML with the shell's metadata, theme and splash, for pages that webpack builds without a composer. */
export function pageDocument({ scripts, styles, fonts = [], markup = '' }: PageAssets): string {
  const elements = [
    ...fonts.map((url) => `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin>`),
    `<script type="application/json" id="${siteConfigElementId}">${JSON.stringify(config)}</script>`,
    `<script>${themeScript(themeStorageKey, siteConfigElementId)}</script>`,
    ...scripts.map((file) => `<script src="/${file}" defer></script>`),
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${landingMetadata.replaceAll(siteOriginPlaceholder, 'https://www.countersign.example')}
<style>${tokensStylesheet()}
${splashStyles(splashElementId, loadingStatusElementId)}</style>
${elements.join('\n')}
</head>
<body>
<div id="${splashElementId}">
<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true"><path d="M6 44c8-18 15-29 21-28 7 1-5 27 1 28 5 1 9-14 14-14 4 0 0 10 4 11 3 1 7-4 12-9"/></svg>
<p>${brand}</p>
</div>
<p id="${loadingStatusElementId}" role="status"></p>
<div id="${rootElementId}" inert>${markup}</div>
<script>${splashScript}</script>
</body>
</html>
`;
}

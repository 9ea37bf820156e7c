import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/data-blocks';
import {
  documentMarkers,
  documentTemplateFile,
  notFoundTemplateFile,
  publicFolder,
  siteOriginPlaceholder,
} from '@countersign/contracts/part-manifest';
import { preloadChoice } from '@countersign/contracts/preload-choice';
import type { Asset, ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import { ReleaseFault } from '../release-fault.ts';
import { composeHeaderFiles, headerFiles } from '../security/header-files.ts';
import { policyInPage, type Audience } from '../security/page-policy.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { composeSlots } from './compose-slots.ts';
import { pageStyles } from './page-styles.ts';

/** The pages that the composer writes. The preview is the landing page, with a policy that lets developers try parts. */
export const pageFiles = { landing: 'index.html', preview: 'preview.html', notFound: '404.html' } as const;

/** Name → content of everything that is served at the root of the site. */
export type Pages = ReadonlyMap<string, string | Uint8Array>;

/**
 * The HTML of a release, made in one pass: the shell's template with the release document and the configuration as data
 * blocks, the shell's styles inlined, preload links for what the landing page will load, and the policy that lets nothing
 * else run. With it the files that are served at the root of the site, and those that tell servers the pages' headers. Throws a {@link ReleaseFault} when the shell's template is not one.
 */
export async function composePages(
  store: ReleaseStore,
  release: ReleaseDocument,
  site: SiteConfig,
): Promise<Pages> {
  const styles = await shellStyles(store, release);
  const common = (config: SiteConfig) => [
    // Browsers fetch a script at the end of the body last, and it is what everything else waits for.
    ...release.shell.scripts.map(preloadLink),
    ...fontsIn(styles).map(
      (url) => `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin="anonymous">`,
    ),
    dataBlock(siteConfigElementId, config),
    dataBlock(releaseDocumentElementId, release),
    `<style>${styles}</style>`,
  ];
  // Only the page for developers takes overrides, so only it has their key.
  const forVisitors = common({ ...site, overrideKey: undefined });
  const scripts = release.shell.scripts.map(scriptElement).join('\n');
  const compose = async (
    name: string,
    templateFile: string,
    head: readonly string[],
    audience: Audience = 'visitors',
  ) => {
    const text = atOrigin(await store.readFile('shell', release.shell.version, templateFile), site);
    // First: what parts bring must not be taken for a marker.
    const template = await composeSlots(text, store, release, site, {
      withCanaries: name === pageFiles.landing,
    });
    const contents = { [documentMarkers.head]: head.join('\n'), [documentMarkers.scripts]: scripts };
    const page = fill(template, contents, templateFile);
    const policy = policyElement(policyInPage(page, release, audience));
    return { name, html: fill(page, { [documentMarkers.policy]: policy }, templateFile), audience };
  };
  const pages = [
    // Shows no remote, and loads none ahead.
    await compose(pageFiles.notFound, notFoundTemplateFile, forVisitors),
    // Which part will be another one is not known before the page runs: nothing is loaded ahead in vain.
    await compose(pageFiles.preview, documentTemplateFile, common(site), 'developers'),
    await compose(pageFiles.landing, documentTemplateFile, [...forVisitors, ...preloadLinks(release)]),
  ];
  return new Map<string, string | Uint8Array>([
    ...(await publicFiles(store, release, site)),
    // Last: no public file takes the place of one of these.
    ...pages.map(({ name, html }) => [name, html] as const),
    ...composeHeaderFiles(release.releaseId, pages),
  ]);
}

function atOrigin(text: string, { siteOrigin }: SiteConfig): string {
  return text.replaceAll(siteOriginPlaceholder, siteOrigin);
}

/** The text files among them name the site's origin. */
const textFile = /\.(txt|xml|webmanifest)$/;

/** Names that only the composer gives to files at the root of the site. */
export const composedFiles: readonly string[] = [...Object.values(pageFiles), ...Object.values(headerFiles)];

/** Whether the composer writes a file as text. It copies all others byte by byte. */
export function isComposedText(name: string): boolean {
  return composedFiles.includes(name) || textFile.test(name);
}

async function publicFiles(
  store: ReleaseStore,
  { shell }: ReleaseDocument,
  site: SiteConfig,
): Promise<readonly (readonly [string, string | Uint8Array])[]> {
  const files = Object.keys((await store.hashesOf('shell', shell.version)) ?? {});
  const inPublicFolder = files.filter((file) => file.startsWith(publicFolder));
  return Promise.all(
    inPublicFolder.map(async (file) => {
      const name = file.slice(publicFolder.length);
      const content = textFile.test(name)
        ? atOrigin(await store.readFile('shell', shell.version, file), site)
        : await store.readBytes('shell', shell.version, file);
      return [name, content] as const;
    }),
  );
}

/** The shell's styles, fit to stand in the page: addresses of files are made absolute. */
async function shellStyles(store: ReleaseStore, { shell }: ReleaseDocument): Promise<string> {
  const prefix = `/shell/${shell.version}/`;
  const files = shell.styles.map(({ url }) => url.slice(prefix.length));
  const texts = await Promise.all(files.map((file) => store.readFile('shell', shell.version, file)));
  return pageStyles(texts.join('\n'), prefix);
}

function fontsIn(styles: string): readonly string[] {
  return [...styles.matchAll(/url\(([^)]+\.woff2)\)/g)].map(([, url = '']) => url);
}

/** Puts each content in the place of its marker. */
function fill(template: string, contents: Readonly<Record<string, string>>, file: string): string {
  return Object.entries(contents).reduce((text, [marker, content]) => {
    const parts = text.split(marker);
    if (parts.length !== 2) throw new ReleaseFault(`The shell's ${file} must hold ${marker} exactly once.`);
    return parts.join(content);
  }, template);
}

/** JSON that cannot end the script element it stands in. */
function dataBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

function policyElement(policy: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}

function scriptElement({ url, integrity }: Asset): string {
  return `<script src="${url}" integrity="${integrity}" crossorigin="anonymous" defer></script>`;
}

/**
 * Links to the code that every visitor will need at once; of a remote with a canary, to both versions, for the page to
 * choose from.
 */
function preloadLinks({ remotes }: ReleaseDocument): readonly string[] {
  const released = Object.entries(remotes);
  const decided = released.filter(([, { canary }]) => !canary).flatMap(([, { live }]) => linksTo(live));
  const choices = released.flatMap(([name, { live, canary }]) => {
    if (!canary) return [];
    const choice = (group: CanaryGroup, version: RemoteVersion) => {
      const links = linksTo(version).join('');
      if (!links) return [];
      return `<template ${preloadChoice.remote}="${name}" ${preloadChoice.percent}="${canary.percent}" ${preloadChoice.group}="${group}">${links}</template>`;
    };
    return [choice('stable', live), choice('canary', canary.version)].flat();
  });
  return [...decided, ...choices];
}

/**
 * The attributes of a preload must be those of the later use, or the browser fetches the file twice. Stylesheets stand in
 * the page.
 */
function linksTo({ entry, exposes, hydration }: RemoteVersion): readonly string[] {
  const neededAtOnce = Object.entries(exposes).filter(([key]) => (hydration?.[key] ?? 'load') === 'load');
  if (neededAtOnce.length === 0) return [];
  const scripts = [entry, ...neededAtOnce.flatMap(([, chunk]) => chunk.scripts)];
  // Several keys can live in one chunk.
  return [...new Set(scripts.map(preloadLink))];
}

function preloadLink({ url, integrity }: Asset): string {
  return `<link rel="preload" as="script" href="${url}" integrity="${integrity}" crossorigin="anonymous">`;
}

import {
  releaseDocumentElementId,
  scriptCopiesElementId,
  siteConfigElementId,
  canaryScriptAttribute,
} from '@countersign/contracts/page-markup';
import {
  documentMarkers,
  documentTemplateFile,
  notFoundTemplateFile,
  previewStylesFile,
  publicFolder,
  siteOriginPlaceholder,
} from '@countersign/contracts/part-manifest';
import type { Asset, ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { ReleaseError } from '../platform/release-error.ts';
import type { FileHashes } from '../store/stored-documents.ts';
import { readShell, type VersionReader } from '../store/stored-version.ts';
import { composeSlots } from './compose-slots.ts';
import { bundleEntries, type EntryBundle } from './entry-bundle.ts';
import { hashInlineCode, policyInPage } from './page-policy.ts';
import { pageStyles } from './page-styles.ts';
import { bundleLink, fontLinks, preloadLink, preloadLinks } from './preload-links.ts';
import {
  hashedPublicFile,
  headersFile,
  landingPages,
  pageFiles,
  reservedNames,
  shellCanaryFile,
} from '../store/page-files.ts';
import { pageHeaders } from './security-headers.ts';

/** Name → content of all files that are served at the root of the site. */
export type Pages = ReadonlyMap<string, string | Uint8Array>;

/** Input that the pages of a release have in common. */
interface Shared {
  readonly store: VersionReader;
  readonly release: ReleaseDocument;
  readonly siteConfig: SiteConfig;
  /** Of the shell's files. */
  readonly hashes: FileHashes;
  /** The shell's styles. */
  readonly styles: string;
  readonly bundle: EntryBundle | undefined;
}

type Page = Awaited<ReturnType<typeof composePage>>;
type RootFile = readonly [string, string | Uint8Array];

/**
 * Composes the pages of a release from the shell's templates: release document and configuration as data blocks, inlined
 * styles, preload links and the Content Security Policy. Also returns the shell's public files and fonts, the entry bundle, and
 * for servers files with the pages' headers and with the canary of the shell. Throws a {@link ReleaseError} if a template is invalid.
 */
export async function composePages(
  store: VersionReader,
  release: ReleaseDocument,
  siteConfig: SiteConfig,
): Promise<Pages> {
  const bundle = await bundleEntries(store, release);
  const shared = await readSharedInput({ store, release, siteConfig, bundle });
  const { canary } = release.shell;
  const copies: Page[] = [];
  let canaryFiles: readonly RootFile[] = [];
  if (canary) {
    const stable = { ...release, shell: { ...release.shell, group: 'stable' as const } };
    copies.push(await landingPage({ ...shared, release: stable }, pageFiles.stable));
    const shell = { ...(await readShell(store, canary.version)), canary, group: 'canary' as const };
    const ofCanary = await readSharedInput({ ...shared, release: { ...release, shell } });
    copies.push(await landingPage(ofCanary, pageFiles.canary));
    canaryFiles = await readRootFiles(ofCanary);
  }
  const pages = [
    // Without preload links, because it shows no remote.
    await composePage(shared, pageFiles.notFound, headOf(shared)),
    // Without preload links, because `npm run dev` replaces parts of it.
    await composePage(shared, pageFiles.preview, [...headOf(shared), ...previewStyles(shared)]),
    ...copies,
    await landingPage(shared, pageFiles.landing),
  ];
  const headers = Object.fromEntries(pages.map((page) => [page.name, page.headers]));
  return new Map<string, string | Uint8Array>([
    // First, so that they overwrite no file of the stable version.
    ...canaryFiles,
    ...(await readRootFiles(shared)),
    ...(bundle ? [[bundle.name, bundle.content] as const] : []),
    // Last, so that no public file overwrites a composed one.
    ...pages.map(({ name, html }) => [name, html] as const),
    [headersFile, `${JSON.stringify(headers, null, 2)}\n`],
    ...(canary ? [[shellCanaryFile, `${JSON.stringify(canary)}\n`] as const] : []),
  ]);
}

/** Reads the shell's hashes and styles. Its URLs become absolute, because the styles are inlined. */
async function readSharedInput(input: Omit<Shared, 'hashes' | 'styles'>): Promise<Shared> {
  const { store, release } = input;
  const { version, styles } = release.shell;
  const prefix = `/shell/${version}/`;
  const read = ({ url }: Asset) => store.readFile('shell', version, url.slice(prefix.length));
  const texts = await Promise.all(styles.map(read));
  const hashes = (await store.hashesOf('shell', version)) ?? {};
  const withFontsAtRoot = Object.keys(hashes)
    .filter(isFont)
    .reduce(
      (text, name) => text.replaceAll(`url(${prefix}${name})`, `url(/${name})`),
      pageStyles(texts.join('\n'), prefix),
    );
  return { ...input, hashes, styles: withFontsAtRoot };
}

function headOf({ release, siteConfig, styles }: Shared): readonly string[] {
  return [
    // Preloaded, because browsers fetch scripts at the end of the body last, and everything else depends on them.
    ...release.shell.scripts.map(preloadLink),
    ...fontLinks(styles),
    dataBlock(siteConfigElementId, siteConfig),
    dataBlock(releaseDocumentElementId, release),
    `<style>${styles}</style>`,
  ];
}

function landingPage(shared: Shared, name: string): Promise<Page> {
  const { release, bundle } = shared;
  const bundled = new Set(bundle?.entries.map(({ url }) => url));
  const links = [...(bundle ? [bundleLink(bundle)] : []), ...preloadLinks(release, bundled)];
  return composePage(shared, name, [...headOf(shared), ...links]);
}

/** Matches the template's scripts that choose between versions. Pages without a canary do not need them. */
const canaryScripts = new RegExp(`<script ${canaryScriptAttribute}>[^]*?</script>\\n?`, 'g');

async function composePage(
  { store, release, siteConfig, styles, bundle }: Shared,
  name: string,
  head: readonly string[],
) {
  const templateFile = name === pageFiles.notFound ? notFoundTemplateFile : documentTemplateFile;
  const audience = name === pageFiles.preview ? 'developers' : 'visitors';
  const withCanaries =
    landingPages.includes(name) && Object.values(release.remotes).some(({ canary }) => canary);
  const stored = withSiteOrigin(
    await store.readFile('shell', release.shell.version, templateFile),
    siteConfig,
  );
  const template = withCanaries ? stored : stored.replaceAll(canaryScripts, '');
  // Slots are filled first, so that inserted content is not searched for slot markers.
  const slots = await composeSlots(template, store, release, siteConfig, { withCanaries });
  const inline = hashInlineCode(template, [styles, ...slots.styles]);
  const policy = policyInPage(inline, release, audience, bundle);
  const { scripts } = release.shell;
  const contents = {
    [documentMarkers.policy]: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    [documentMarkers.head]: head.join('\n'),
    [documentMarkers.scripts]: [...scripts.map(scriptElement), scriptCopies(scripts)].join('\n'),
  };
  const html = fillMarkers(slots.html, contents, templateFile);
  return { name, html, headers: pageHeaders(inline, audience) };
}

function withSiteOrigin(text: string, { siteOrigin }: SiteConfig): string {
  return text.replaceAll(siteOriginPlaceholder, siteOrigin);
}

/** Public text files, which contain the placeholder of the site's origin. */
const textFile = /\.(txt|xml|webmanifest)$/;

/** Whether the composer writes a file as text. It copies all others unchanged. */
export function isComposedText(name: string): boolean {
  return reservedNames.includes(name) || textFile.test(name);
}

/**
 * Whether a file of the shell is a font. Fonts are served at the root of the site, because each version of the shell has the same
 * ones, and browsers would load them again.
 */
function isFont(file: string): boolean {
  return file.endsWith('.woff2') && hashedPublicFile.test(file);
}

/** The shell's public files and fonts. */
async function readRootFiles({ store, release, siteConfig, hashes }: Shared): Promise<readonly RootFile[]> {
  const { version } = release.shell;
  const files = Object.keys(hashes).filter((file) => file.startsWith(publicFolder) || isFont(file));
  return Promise.all(
    files.map(async (file) => {
      const name = isFont(file) ? file : file.slice(publicFolder.length);
      const content = textFile.test(name)
        ? withSiteOrigin(await store.readFile('shell', version, file), siteConfig)
        : await store.readBytes('shell', version, file);
      return [name, content] as const;
    }),
  );
}

/** The styles that only the preview page has. Empty for shells of older builds. */
function previewStyles({ release: { shell }, hashes }: Shared): readonly string[] {
  const integrity = hashes[previewStylesFile];
  if (integrity === undefined) return [];
  return [
    `<link rel="stylesheet" href="/shell/${shell.version}/${previewStylesFile}" integrity="${integrity}" crossorigin="anonymous">`,
  ];
}

function fillMarkers(template: string, contents: Readonly<Record<string, string>>, file: string): string {
  return Object.entries(contents).reduce((text, [marker, content]) => {
    const parts = text.split(marker);
    if (parts.length !== 2) throw new ReleaseError(`The shell's ${file} must hold ${marker} exactly once.`);
    return parts.join(content);
  }, template);
}

/** A JSON data block. Escapes `<`, so that the content cannot end the script element. */
function dataBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

function scriptElement({ url, integrity }: Asset): string {
  return `<script src="${url}" integrity="${integrity}" crossorigin="anonymous" defer></script>`;
}

/** Copies for another attempt, if a script of the shell could not be loaded. */
function scriptCopies(scripts: readonly Asset[]): string {
  return `<template id="${scriptCopiesElementId}">${scripts.map(scriptElement).join('')}</template>`;
}

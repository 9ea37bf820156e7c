import {
  releaseDocumentElementId,
  scriptCopiesElementId,
  siteConfigElementId,
} from '@countersign/contracts/data-blocks';
import {
  documentMarkers,
  documentTemplateFile,
  notFoundTemplateFile,
  previewFolder,
  publicFolder,
  runtimeCoreFolder,
  siteOriginPlaceholder,
} from '@countersign/contracts/part-manifest';
import type { Asset, ChunkAssets, ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { canaryScriptAttribute } from '@countersign/contracts/slot-markup';
import { servableVersions } from '@countersign/contracts/release-versions';
import { ReleaseError } from '../platform/release-error.ts';
import { hashedPublicFile } from '../store/object-headers.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { composeSlots, type BeforeChange } from './compose-slots.ts';
import { bundleEntries } from './entry-bundle.ts';
import { composeHeaderFiles } from './header-files.ts';
import { composeLiveManifests } from './live-manifests.ts';
import { hashInlineCode, policyInPage, type Audience } from './page-policy.ts';
import { pageStyles } from './page-styles.ts';
import { bundleLink, fontLinks, preloadLink, preloadLinks } from './preload-links.ts';
import { pageFiles, reservedNames } from './reserved-names.ts';
import { pageHeaders } from './security-headers.ts';
import { composeSecurityTxt } from './security-txt.ts';

/** Name → content of all files that are served at the root of the site. */
export type Pages = ReadonlyMap<string, string | Uint8Array>;

/**
 * Composes the pages of a release from the shell's templates: release document and configuration as data blocks, inlined
 * styles, preload links and the Content Security Policy. Also returns the public files, the manifests of the live versions for
 * other hosts, and files that list the pages' headers for servers. Throws a {@link ReleaseError} if a template is invalid.
 */
export async function composePages(
  store: ReleaseStore,
  release: ReleaseDocument,
  site: SiteConfig,
  before: BeforeChange = {},
): Promise<Pages> {
  const { styles, fonts } = await shellStyles(store, release);
  const { scripts: runtimeCore } = await filesOfShell(store, release, [runtimeCoreFolder]);
  const scripts = [...((await needRuntimeCore(store, release)) ? runtimeCore : []), ...release.shell.scripts];
  const entries = await bundleEntries(store, release);
  const common = (config: SiteConfig) => commonHead(release, config, scripts, styles);
  // Only the preview page accepts overrides and shows owners.
  const forVisitors = common({
    ...site,
    overrideKey: undefined,
    owners: undefined,
    securityTxt: undefined,
  });
  // An override may load a part that needs the core.
  const tools = await filesOfShell(store, release, [runtimeCoreFolder, previewFolder]);
  const compose = async (
    name: string,
    templateFile: string,
    head: readonly string[],
    audience: Audience = 'visitors',
    scriptsOfPage = scripts,
  ) => {
    const withCanaries =
      name === pageFiles.landing && Object.values(release.remotes).some(({ canary }) => canary);
    const template = withSiteOrigin(await store.readFile('shell', release.shell.version, templateFile), site);
    const text = withCanaries ? template : template.replaceAll(canaryScripts, '');
    // Slots go first, so that injected content is not searched for slot markers.
    const slots = await composeSlots(text, store, release, site, { ...before, withCanaries });
    const inline = hashInlineCode(text, [styles, ...slots.styles]);
    const contents = {
      [documentMarkers.head]: head.join('\n'),
      [documentMarkers.scripts]: [
        ...scriptsOfPage.map(scriptElement),
        scriptCopies(release.shell.scripts),
      ].join('\n'),
    };
    const page = fillMarkers(slots.html, contents, templateFile);
    const policy = policyElement(
      policyInPage(inline, release, audience, [...scripts, ...(entries ? [entries] : [])]),
    );
    const html = fillMarkers(page, { [documentMarkers.policy]: policy }, templateFile);
    return { name, html, headers: pageHeaders(inline, audience) };
  };
  const pages = [
    // Without preload links, because it shows no remote.
    await compose(pageFiles.notFound, notFoundTemplateFile, forVisitors),
    // Without preload links, because the override that replaces a part is not known yet.
    await compose(
      pageFiles.preview,
      documentTemplateFile,
      [...common(site), ...tools.styles.map(styleElement)],
      'developers',
      [...tools.scripts, ...release.shell.scripts],
    ),
    await compose(pageFiles.landing, documentTemplateFile, [
      ...forVisitors,
      ...(entries ? [bundleLink(entries)] : []),
      ...preloadLinks(release, new Set(entries?.entries.map(({ url }) => url))),
    ]),
  ];
  return new Map<string, string | Uint8Array>([
    ...(await publicFiles(store, release, site)),
    ...fonts,
    ...(entries ? [[entries.name, entries.content] as const] : []),
    ...composeSecurityTxt(site),
    // Last, so that no public file overwrites a composed one.
    ...pages.map(({ name, html }) => [name, html] as const),
    ...(await composeLiveManifests(store, release)),
    ...composeHeaderFiles(release.releaseId, pages),
  ]);
}

/** Scripts of the template that pages without a canary do not need. */
const canaryScripts = new RegExp(`<script ${canaryScriptAttribute}>[^]*?</script>\\n?`, 'g');

/** What the head of each page contains. */
function commonHead(
  release: ReleaseDocument,
  config: SiteConfig,
  scripts: readonly Asset[],
  styles: string,
): readonly string[] {
  return [
    // Preloaded, because browsers fetch scripts at the end of the body last, and everything else depends on them.
    ...scripts.map(preloadLink),
    ...fontLinks(styles),
    dataBlock(siteConfigElementId, config),
    dataBlock(releaseDocumentElementId, release),
    `<style>${styles}</style>`,
  ];
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
        ? withSiteOrigin(await store.readFile('shell', shell.version, file), site)
        : await store.readBytes('shell', shell.version, file);
      return [name, content] as const;
    }),
  );
}

/**
 * The shell's styles for inlining, with absolute URLs. Fonts are served at the root of the site, because each version of the
 * shell has the same ones, and browsers would load them again.
 *
 * @returns the styles, and name → content of the fonts
 */
async function shellStyles(
  store: ReleaseStore,
  { shell }: ReleaseDocument,
): Promise<{ readonly styles: string; readonly fonts: ReadonlyMap<string, Uint8Array> }> {
  const prefix = `/shell/${shell.version}/`;
  const files = shell.styles.map(({ url }) => url.slice(prefix.length));
  const texts = await Promise.all(files.map((file) => store.readFile('shell', shell.version, file)));
  const styles = pageStyles(texts.join('\n'), prefix);
  const fonts = new Map<string, Uint8Array>();
  for (const name of Object.keys((await store.hashesOf('shell', shell.version)) ?? {})) {
    if (hashedPublicFile.test(name)) fonts.set(name, await store.readBytes('shell', shell.version, name));
  }
  const shared = [...fonts.keys()].reduce(
    (text, name) => text.replaceAll(`url(${prefix}${name})`, `url(/${name})`),
    styles,
  );
  return { styles: shared, fonts };
}

/** Scripts and styles in folders of the shell that its own code never loads. Shells of older builds have none. */
async function filesOfShell(
  store: ReleaseStore,
  { shell }: ReleaseDocument,
  folders: readonly string[],
): Promise<ChunkAssets> {
  const hashes = Object.entries((await store.hashesOf('shell', shell.version)) ?? {});
  const assets = folders.flatMap((folder) =>
    hashes
      .filter(([file]) => file.startsWith(folder))
      .map(([file, integrity]) => ({ url: `/shell/${shell.version}/${file}`, integrity })),
  );
  return {
    scripts: assets.filter(({ url }) => url.endsWith('.js')),
    styles: assets.filter(({ url }) => url.endsWith('.css')),
  };
}

/** Whether a version that visitors may get takes the core of the federation runtime from the page. */
async function needRuntimeCore(store: ReleaseStore, { remotes }: ReleaseDocument): Promise<boolean> {
  const entries = Object.entries(remotes).flatMap(([name, remote]) =>
    servableVersions(remote).map(async ({ version, entry }) => {
      const file = entry.url.slice(`/${name}/${version}/`.length);
      try {
        return (await store.readFile(name, version, file)).includes('_FEDERATION_RUNTIME_CORE');
      } catch {
        // A lost file of one part must not stop the changes of others.
        return false;
      }
    }),
  );
  return (await Promise.all(entries)).includes(true);
}

/** Replaces each marker by its content. */
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

function policyElement(policy: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}

function scriptElement({ url, integrity }: Asset): string {
  return `<script src="${url}" integrity="${integrity}" crossorigin="anonymous" defer></script>`;
}

/** Copies for another attempt, if a script of the shell could not be loaded. */
function scriptCopies(scripts: readonly Asset[]): string {
  return `<template id="${scriptCopiesElementId}">${scripts.map(scriptElement).join('')}</template>`;
}

function styleElement({ url, integrity }: Asset): string {
  return `<link rel="stylesheet" href="${url}" integrity="${integrity}" crossorigin="anonymous">`;
}

import { documentMarkers, documentTemplateFile } from '@countersign/contracts/part-manifest';
import {
  releaseDocumentElementId,
  type Asset,
  type ReleaseDocument,
} from '@countersign/contracts/release-document';
import { siteConfigElementId, type SiteConfig } from '@countersign/contracts/site-config';
import { ReleaseFault } from './release-fault.ts';
import type { ReleaseStore } from './release-store.ts';

/** The pages that the composer writes. */
export const pageFiles = { landing: 'index.html', notFound: '404.html' } as const;

/**
 * Writes the HTML of a release: the shell's template with the release document and the configuration as data blocks,
 * the shell's styles inlined, and preload links for what the landing page will load.
 */
export async function composePages(
  store: ReleaseStore,
  release: ReleaseDocument,
  site: SiteConfig,
): Promise<void> {
  const template = await store.readFile('shell', release.shell.version, documentTemplateFile);
  const styles = await shellStyles(store, release);
  const common = [dataBlock(siteConfigElementId, site), dataBlock(releaseDocumentElementId, release), styles];
  const scripts = release.shell.scripts.map(scriptElement).join('\n');
  const compose = (head: readonly string[]) =>
    fill(fill(template, documentMarkers.head, head.join('\n')), documentMarkers.scripts, scripts);

  // The page for unknown paths shows no remote: it loads none ahead.
  await store.writePage(pageFiles.notFound, compose(common));
  await store.writePage(pageFiles.landing, compose([...preloadLinks(release), ...common]));
}

async function shellStyles(store: ReleaseStore, { shell }: ReleaseDocument): Promise<string> {
  const prefix = `/shell/${shell.version}/`;
  const files = shell.styles.map(({ url }) => url.slice(prefix.length));
  const texts = await Promise.all(files.map((file) => store.readFile('shell', shell.version, file)));
  return `<style>${texts.join('\n').replace(/\/\*# sourceMappingURL=.*?\*\//g, '')}</style>`;
}

function fill(template: string, marker: string, content: string): string {
  const parts = template.split(marker);
  if (parts.length !== 2) {
    throw new ReleaseFault(`The shell's ${documentTemplateFile} must hold ${marker} exactly once.`);
  }
  return parts.join(content);
}

/** JSON that cannot end the script element it stands in. */
function dataBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

function scriptElement({ url, integrity }: Asset): string {
  return `<script src="${url}" integrity="${integrity}" crossorigin="anonymous" defer></script>`;
}

/** The attributes of a preload must be those of the later use, or the browser fetches the file twice. */
function preloadLinks(release: ReleaseDocument): string[] {
  const live = Object.values(release.remotes).map((remote) => remote.live);
  const exposed = live.flatMap((version) => Object.values(version.exposes));
  const entries = live.map(({ entry }) => entry);
  const links = [
    ...entries.map(
      ({ url, integrity }) =>
        `<link rel="preload" as="script" href="${url}" integrity="${integrity}" crossorigin="anonymous">`,
    ),
    ...exposed.flatMap(({ scripts, styles }) => [
      ...scripts.map(({ url }) => `<link rel="preload" as="script" href="${url}">`),
      ...styles.map(({ url }) => `<link rel="preload" as="style" href="${url}">`),
    ]),
  ];
  // Several keys can live in one chunk.
  return [...new Set(links)];
}

import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Remote → the versions that a page names. */
export type NamedRemotes = Readonly<
  Record<string, { readonly live: string; readonly previous?: string; readonly canary?: string }>
>;

/** The HTML of a live page, reduced to the part that the service reads. */
export function livePageNaming(remotes: NamedRemotes, shell = '1.0.0'): string {
  const document = {
    schemaVersion: 1,
    releaseId: 'r-0123456789ab',
    shell: { version: shell },
    remotes: Object.fromEntries(
      Object.entries(remotes).map(([name, { live, previous, canary }]) => [
        name,
        {
          live: { version: live },
          ...(previous === undefined ? {} : { previous: { version: previous } }),
          ...(canary === undefined ? {} : { canary: { version: { version: canary }, percent: 10 } }),
        },
      ]),
    ),
  };
  const block = JSON.stringify(document);
  return `<!doctype html><script type="application/json" id="site-config">{}</script><script type="application/json" id="${releaseDocumentElementId}">${block}</script>`;
}

/** The live page of a test, as a file. */
export interface LivePageFile {
  readonly path: string;
  /** Replaces it by a page that names these versions. */
  replace(remotes: NamedRemotes): Promise<void>;
  remove(): Promise<void>;
}

/** Writes a live page to an existing folder. */
export async function createLivePageFile(folder: string, remotes: NamedRemotes): Promise<LivePageFile> {
  const path = join(folder, 'live-page.html');
  async function replace(next: NamedRemotes): Promise<void> {
    await writeFile(`${path}.new`, livePageNaming(next));
    await rename(`${path}.new`, path);
  }
  await replace(remotes);
  return { path, replace, remove: () => rm(path) };
}

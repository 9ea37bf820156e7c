import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { headersFile, pageHeadersFile } from '../page/page-files.ts';
import { isMissingFile } from '../store/is-missing-file.ts';
import type { SiteFiles } from './site-files.ts';

/** The pages of one release, with their headers. */
export interface PageFolder {
  readonly path: string;
  headersOf(page: string): Readonly<Record<string, string>>;
}

/**
 * Opens the pages of the live release, or of the given one; `undefined` if there is none. The folder is immutable, so a
 * page and its headers belong to the same release even during a deploy.
 */
export async function openPageFolder(files: SiteFiles, releaseId?: string): Promise<PageFolder | undefined> {
  if (releaseId !== undefined && !/^r-[0-9a-f]{12}$/.test(releaseId)) return undefined;
  try {
    const path = await realpath(
      releaseId === undefined ? files.rootDirectory : files.pathOf(`pages/${releaseId}`),
    );
    const headers = pageHeadersFile.parse(JSON.parse(await readFile(join(path, headersFile), 'utf8')));
    return { path, headersOf: (page) => headers[page] ?? {} };
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

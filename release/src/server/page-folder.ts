import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '../is-missing-file.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import { headerFiles, pageHeadersFile } from './header-files.ts';
import { unknownPageHeaders } from './security-headers.ts';

/** The pages of one release, with the headers that belong to them. */
export interface PageFolder {
  readonly path: string;
  headersOf(page: string): Readonly<Record<string, string>>;
}

/**
 * Finds the pages of the release that is live, or of the named one. `undefined` where there is none. A folder never
 * changes, so that a page and its headers are of the same release even while another goes live.
 */
export async function openPageFolder(
  store: DirectoryStore,
  releaseId?: string,
): Promise<PageFolder | undefined> {
  if (releaseId !== undefined && !/^r-[0-9a-f]{12}$/.test(releaseId)) return undefined;
  try {
    const path = await realpath(
      releaseId === undefined ? store.rootDirectory : store.pathOf(`pages/${releaseId}`),
    );
    const headers = await readHeaders(join(path, headerFiles.json));
    return { path, headersOf: (page) => headers[page] ?? unknownPageHeaders };
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

async function readHeaders(path: string): Promise<Record<string, Record<string, string>>> {
  try {
    return pageHeadersFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    // Composed before pages had headers of their own.
    if (isMissingFile(error)) return {};
    throw error;
  }
}

import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseIdPattern } from '@countersign/contracts/page-report';
import { shellCanary, type ShellCanary } from '@countersign/contracts/release-document';
import { contentTypeOf } from '../page/content-types.ts';
import { headersFile, pageFiles, shellCanaryFile, storedPageHeaders } from '../store/page-files.ts';
import type { HeaderValues } from '../page/security-headers.ts';
import { undefinedIfMissing } from '../platform/errors.ts';
import type { ChosenPage } from './choose-landing-page.ts';
import type { SiteFiles } from './site-files.ts';

/** For pages and public files without a hash in their names, which browsers revalidate with every use. */
export const revalidate = { 'Cache-Control': 'no-cache' };

/**
 * The path and the headers of a page of the live release, or of the given one; `undefined` if there is none. The folder of a release
 * is immutable, so a page and its headers belong to the same release even during a deploy.
 *
 * @param choose the name of the page; while the shell has a canary, it gets that
 */
export async function openSitePage(
  files: SiteFiles,
  choose: (canary: ShellCanary | undefined) => ChosenPage,
  releaseId?: string,
): Promise<{ readonly path: string; readonly headers: HeaderValues } | undefined> {
  if (releaseId !== undefined && !releaseIdPattern.test(releaseId)) return undefined;
  const link = files.pathOf(releaseId === undefined ? 'current' : `pages/${releaseId}`);
  const folder = await undefinedIfMissing(realpath(link));
  const stored = folder && (await undefinedIfMissing(readFile(join(folder, headersFile), 'utf8')));
  if (!stored) return undefined;
  const all = storedPageHeaders.parse(JSON.parse(stored));
  const canary = all[pageFiles.canary] && (await readFile(join(folder, shellCanaryFile), 'utf8'));
  const { name, headers: chosen } = choose(canary ? shellCanary.parse(JSON.parse(canary)) : undefined);
  const headers = { ...revalidate, ...all[name], 'Content-Type': contentTypeOf(name), ...chosen };
  return { path: join(folder, name), headers };
}

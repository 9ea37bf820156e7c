import { hash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isMissingFile } from '../platform/errors.ts';
import type { ReportsSource } from './read-page-reports.ts';

const reportsSource = z.object({ url: z.string(), token: z.string() });

const fileIn = (dataFolder: string) => join(dataFolder, 'page-reports.json');

/** A token of the lead service that only reads page reports, and its entry in `ADMIN_TOKENS`. */
export function createReportsToken(): { readonly token: string; readonly entry: string } {
  const token = `leads_${randomBytes(32).toString('base64url')}`;
  return { token, entry: `npm-start:reports:${hash('sha256', token)}` };
}

/** Tells `watch` where `npm start` counts page reports. Only this user can read the file. Returns the function that removes it. */
export function shareLocalReports(dataFolder: string, source: ReportsSource): () => void {
  const file = fileIn(dataFolder);
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(source), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Where the `npm start` with this folder counts page reports, or `undefined` if none runs. */
export function readLocalReports(dataFolder: string): ReportsSource | undefined {
  try {
    return reportsSource.parse(JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')));
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

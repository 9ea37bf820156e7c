import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pageReport, pageName } from '@countersign/contracts/page-report';
import { partVersionName } from '@countersign/contracts/part-manifest';
import { parsed } from '@countersign/contracts/settings';
import * as z from 'zod';

export const livePageSettings = z.object({
  LIVE_PAGE: parsed(
    parseLivePage,
    'must look like https://www.example.com/ or /srv/site/current/index.html. Correct or remove it.',
  )
    .optional()
    .describe(
      'URL of the site, or path of the live `index.html`. Metrics contain only versions that this page has named, and `other`',
    ),
});

/** A version of a part, or of the page. */
export interface PartVersion {
  readonly part: string;
  readonly version: string;
}

/** In milliseconds. */
const timeout = 3_000;

const versionField = z.object({ version: partVersionName });
/** A malformed version counts as missing, so that the versions of the other parts stay known. */
const versionIfValid = versionField.optional().catch(undefined);

/** The fields of the release document that the service reads. Unknown fields are no error. */
const releaseVersions = z.object({
  releaseId: pageReport.shape.releaseId,
  shell: versionField
    .extend({ previous: z.optional(partVersionName).catch(undefined), canary: versionIfValid })
    .optional()
    .catch(undefined),
  remotes: z.record(
    z.string(),
    z.object({
      live: versionIfValid,
      previous: versionIfValid,
      canary: z.object({ version: versionField }).optional().catch(undefined),
    }),
  ),
});

const releaseDocumentBlock = new RegExp(
  `<script\\b[^>]*\\bid="${releaseDocumentElementId}"[^>]*>([^<]*)</script>`,
);

/**
 * Reads the versions that the live page names: live, previous and canary, and the release as the version of the page itself. Reports of
 * other versions count as `other`, so that forged ones cannot fill the table.
 *
 * @param location the setting `LIVE_PAGE`: an `http:` or `https:` URL of the site, or the path of its HTML file
 */
export async function readLiveVersions(location: string): Promise<readonly PartVersion[]> {
  const isUrl = /^https?:/.test(location);
  const html = isUrl ? await fetchText(location) : await readFile(location, 'utf8');
  const [, block] = releaseDocumentBlock.exec(html) ?? [];
  if (block === undefined) throw new Error('The live page contains no release document.');
  const { releaseId, shell, remotes } = releaseVersions.parse(JSON.parse(block));
  const named = Object.entries(remotes).flatMap(([part, { previous, live, canary }]) =>
    [previous, live, canary?.version].flatMap((it) => (it ? [{ part, version: it.version }] : [])),
  );
  const ofShell = [shell?.previous, shell?.version, shell?.canary?.version].flatMap((version) =>
    version === undefined ? [] : [{ part: 'shell', version }],
  );
  return [{ part: pageName, version: releaseId }, ...ofShell, ...named];
}

async function fetchText(address: string): Promise<string> {
  const response = await fetch(address, {
    // An HTTP cache must not hide a release.
    headers: { accept: 'text/html', 'cache-control': 'no-cache' },
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`The live page was answered with ${response.status}.`);
  return response.text();
}

/** A value with a scheme must be an HTTP URL. Any other value is a path, also one that begins with the letter of a Windows drive. */
function parseLivePage(value: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]+:/i.test(value)) return value.trim() === '' ? undefined : resolve(value);
  const address = URL.parse(value);
  return address !== null && ['http:', 'https:'].includes(address.protocol) ? address.href : undefined;
}

import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { readFile } from 'node:fs/promises';
import { pageReport, pageName } from '@countersign/contracts/page-report';
import { partVersionName } from '@countersign/contracts/part-manifest';
import * as z from 'zod/mini';

/** A version of a part, or of the page. */
export interface PartVersion {
  readonly part: string;
  readonly version: string;
}

/** In milliseconds. */
const timeout = 3_000;

const versionField = z.object({ version: partVersionName });
/** A malformed version counts as missing, so that the versions of the other parts stay known. */
const versionIfValid = z.catch(z.optional(versionField), undefined);

/** The fields of the release document that the service reads. Unknown fields are no error. */
const releaseVersions = z.object({
  releaseId: pageReport.shape.releaseId,
  shell: z.catch(
    z.optional(
      z.object({
        ...versionField.shape,
        previous: z.catch(z.optional(partVersionName), undefined),
        canary: z.catch(z.optional(versionField), undefined),
      }),
    ),
    undefined,
  ),
  remotes: z.record(
    z.string(),
    z.object({
      live: versionIfValid,
      previous: versionIfValid,
      canary: z.catch(z.optional(z.object({ version: versionField })), undefined),
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

import { releaseDocumentElementId } from '@countersign/contracts/data-blocks';
import { readFile } from 'node:fs/promises';
import { partVersionName } from '@countersign/contracts/part-manifest';
import * as z from 'zod/mini';
import type { PartVersion } from './known-versions.ts';

const timeout = 3_000;
const maxBytes = 2 * 1024 * 1024;

const named = z.object({ version: partVersionName.check(z.maxLength(64)) });

/** What is read of the release document. Parts that this service does not know are no error. */
const namedVersions = z.object({
  shell: named,
  remotes: z.record(
    z.string(),
    z.object({
      live: named,
      previous: z.optional(named),
      canary: z.optional(z.object({ version: named })),
    }),
  ),
});

const releaseDocumentBlock = new RegExp(
  `<script\\b[^>]*\\bid="${releaseDocumentElementId}"[^>]*>([^<]*)</script>`,
);

/**
 * Reads which versions are live, previous or canary from the release document in the live page. Every way of serving the
 * site has that page: as a file with nginx and `npm start`, at an address with a bucket or CDN.
 *
 * @param location `http:` or `https:` address, or path of a file
 */
export async function readLivePage(location: string): Promise<readonly PartVersion[]> {
  const isAddress = /^https?:/.test(location);
  const html = isAddress ? await fetchText(location) : await readFile(location, 'utf8');
  const [, block] = releaseDocumentBlock.exec(html) ?? [];
  if (block === undefined) throw new Error('The live page holds no release document.');
  const { shell, remotes } = namedVersions.parse(JSON.parse(block));
  const ofRemotes = Object.entries(remotes).flatMap(([part, { live, previous, canary }]) =>
    [previous, live, canary?.version].flatMap((it) => (it ? [{ part, version: it.version }] : [])),
  );
  return [{ part: 'shell', version: shell.version }, ...ofRemotes];
}

async function fetchText(address: string): Promise<string> {
  const response = await fetch(address, {
    // A cache on the way must not hide a release.
    headers: { accept: 'text/html', 'cache-control': 'no-cache' },
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok || response.body === null) {
    throw new Error(`The live page was answered with ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The live page has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

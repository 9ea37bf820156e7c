import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ReleaseContent, RemoteVersion } from '@countersign/contracts/release-document';
import { referencedVersions, servableVersions } from '@countersign/contracts/release-versions';
import type { RemoteName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { encodeJson, readJson } from '../store/stored-json.ts';

/** A version of a remote together with a version of the shell: one cell of the compatibility matrix. */
export interface VersionPair {
  readonly shell: string;
  readonly part: RemoteName;
  readonly version: string;
}

/** Every remote version that a visitor may get, each with the shell of the same release. */
function versionPairs(content: ReleaseContent): readonly VersionPair[] {
  return referencedVersions(content).flatMap(({ part, version }) =>
    part === 'shell' ? [] : [{ shell: content.shell.version, part, version }],
  );
}

const matrixKey = ({ shell, part, version }: VersionPair) => `checks/shell-${shell}/${part}-${version}.json`;

/** What passed the check. */
const passedCheck = z.object({
  passedAt: z.string(),
  /** Hash of the files of both versions. */
  content: z.string(),
  /** Hash of the program that checked them. */
  checker: z.string(),
});

/** A pair that must be checked, with the hash of the content that will be read. */
interface UncheckedPair extends VersionPair {
  readonly content: string;
}

/**
 * The pairs of a release that have not passed the check with the content that the store has now. Pairs that are live together
 * may have passed an older check, or none if they were forced, so that a stricter check does not block the releases of others.
 */
export async function uncheckedPairs(
  store: ReleaseStore,
  next: ReleaseContent,
  live: ReleaseContent | undefined,
): Promise<readonly UncheckedPair[]> {
  const shellFiles = store.hashesOf('shell', next.shell.version);
  const pairs = await Promise.all(
    versionPairs(next).map(async (pair) => {
      const [shell, remote, passed] = await Promise.all([
        shellFiles,
        store.hashesOf(pair.part, pair.version),
        readJson(store.objects, matrixKey(pair), passedCheck).catch(ignoreDamage),
      ]);
      const content = sha256(JSON.stringify([shell, remote]));
      const isLive = isLiveTogether(pair, next, live);
      const hasPassed = passed
        ? passed.value.content === content && (isLive || passed.value.checker === checkerHash())
        : isLive;
      return hasPassed ? [] : [{ ...pair, content }];
    }),
  );
  return pairs.flat();
}

/** Records that pairs have passed. They are checked again only if their content, or the check, is not the same. */
export async function recordCheckedPairs(
  store: ReleaseStore,
  pairs: readonly UncheckedPair[],
): Promise<void> {
  for (const pair of pairs) {
    const passed: z.infer<typeof passedCheck> = {
      passedAt: new Date().toISOString(),
      content: pair.content,
      checker: checkerHash(),
    };
    await store.objects.overwrite(matrixKey(pair), encodeJson(passed));
  }
}

/** Whether visitors get exactly this pair already. */
function isLiveTogether(
  { part, version }: VersionPair,
  next: ReleaseContent,
  live: ReleaseContent | undefined,
): boolean {
  const wanted = servedVersion(next, part, version);
  const served = live && servedVersion(live, part, version);
  return served !== undefined && isDeepStrictEqual([live?.shell, served], [next.shell, wanted]);
}

/** A version in a release document, with the hashes of its code. */
export function servedVersion(
  { remotes }: ReleaseContent,
  part: RemoteName,
  version: string,
): RemoteVersion | undefined {
  const remote = remotes[part];
  return remote && servableVersions(remote).find((served) => served.version === version);
}

/** A damaged record counts as missing. Older records do not say what passed. */
function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof ReleaseError)) throw error;
}

let knownChecker: string | undefined;

/** Hash of the sources of the check, and of the versions of the packages that it uses. */
function checkerHash(): string {
  if (knownChecker !== undefined) return knownChecker;
  const sources = globSync('**/*.{ts,sh}', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] }).sort();
  const texts = [...sources, '../../package.json'].map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  return (knownChecker = sha256(JSON.stringify(texts)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

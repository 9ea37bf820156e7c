import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ReleaseContent, RemoteVersion } from '@countersign/contracts/release-document';
import { referencedVersions, servableVersions } from '@countersign/contracts/release-versions';
import type { RemoteName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import type { ReleaseStore } from '../store/release-store.ts';
import { encodeJson, readJson, unlessDamaged } from '../store/stored-json.ts';

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

/** Record of a pair that has passed the check. */
const passedCheck = z.object({
  passedAt: z.string(),
  /** Hash of the files of both versions. */
  content: z.string(),
  /** Hash of the program that checked them. */
  checker: z.string(),
});

/** A pair that must be checked. */
interface UncheckedPair extends VersionPair {
  /** Hash of the files of both versions. */
  readonly content: string;
}

/**
 * The pairs of a release that must be checked: those without a record, and those whose files or checker have changed since.
 * Pairs that are live together need no record, and none of the present checker, so that a forced release or a stricter
 * check does not block the releases of other parts.
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
        unlessDamaged(readJson(store.objects, matrixKey(pair), passedCheck)),
      ]);
      const content = sha256(JSON.stringify([shell, remote]));
      const isLive = isLiveTogether(pair, next, live);
      const isSameContent = passed?.value.content === content;
      const hasPassed = isLive
        ? !passed || isSameContent
        : isSameContent && passed.value.checker === checkerHash();
      return hasPassed ? [] : [{ ...pair, content }];
    }),
  );
  return pairs.flat();
}

/** Records that pairs have passed, for {@link uncheckedPairs}. */
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
  const after = versionIn(next, part, version);
  const before = live && versionIn(live, part, version);
  return before !== undefined && isDeepStrictEqual([live?.shell, before], [next.shell, after]);
}

/** What a release document says of a version: its files with their hashes. */
function versionIn(
  { remotes }: ReleaseContent,
  part: RemoteName,
  version: string,
): RemoteVersion | undefined {
  const remote = remotes[part];
  return remote && servableVersions(remote).find((known) => known.version === version);
}

let cachedHash: string | undefined;

/** Hash of the sources of the check, and of the versions of the packages that it uses. */
function checkerHash(): string {
  if (cachedHash !== undefined) return cachedHash;
  const sources = globSync('**/*.{ts,sh}', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] }).sort();
  const texts = [...sources, '../../package.json'].map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  return (cachedHash = sha256(JSON.stringify(texts)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import type { RemoteName } from '@countersign/contracts/remotes';
import type { ReleaseContent } from '../flip/change.ts';
import { namedVersions } from '../flip/named-versions.ts';
import type { ReleaseStore } from '../store/release-store.ts';

/** A version of a remote, and the shell that would show it. */
export interface Pair {
  readonly shell: string;
  readonly part: RemoteName;
  readonly version: string;
}

/** Every remote that visitors may get, with the shell of the same state. */
export function pairsOf(content: ReleaseContent): readonly Pair[] {
  return namedVersions(content).flatMap(({ part, version }) =>
    part === 'shell' ? [] : [{ shell: content.shell.version, part, version }],
  );
}

const keyOf = ({ shell, part, version }: Pair) => `checks/shell-${shell}/${part}-${version}.json`;

/** Those that have neither been live together nor passed the check together. */
export async function unknownPairs(
  store: ReleaseStore,
  next: ReleaseContent,
  live: ReleaseContent | undefined,
): Promise<readonly Pair[]> {
  const liveTogether = new Set(live ? pairsOf(live).map(keyOf) : []);
  const pairs = pairsOf(next).filter((pair) => !liveTogether.has(keyOf(pair)));
  const known = await Promise.all(pairs.map((pair) => store.objects.read(keyOf(pair))));
  return pairs.filter((_pair, index) => known[index] === undefined);
}

/** Remembers that pairs have passed. Neither of the two ever changes, so they need not be looked at again. */
export async function rememberPairs(store: ReleaseStore, pairs: readonly Pair[]): Promise<void> {
  const passed = new TextEncoder().encode(`${JSON.stringify({ passedAt: new Date().toISOString() })}\n`);
  for (const pair of pairs) await store.objects.create(keyOf(pair), passed);
}

import type { RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../../store/release-error.ts';
import type { ReleaseStore } from '../../store/release-store.ts';
import { PageFailure } from '../browser/isolated-world.ts';
import type { Visit } from '../browser/visit-page.ts';
import type { VisitorName } from '../browser/visitors.ts';

/** The versions in a page that are checked. */
export interface PageSubject {
  readonly store: ReleaseStore;
  readonly remotes: ReadonlyMap<RemoteName, string>;
  /** Version of the shell if it is not the live one. The whole page is then its own. */
  readonly shell: string | undefined;
}

/** A problem that a rule reports. */
export interface Problem {
  /** Remote to blame, if it is known. */
  readonly remote?: string;
  /** Predicate of the part: `scrolls sideways …`. */
  readonly text: string;
}

/** The same visitor's page of the live release, if there is one. Opened when it is needed. */
export type LiveVisit = () => Promise<Visit | undefined>;

/** A live page that is broken must not stop the version that mends it, which is then compared with nothing. */
export function noComparison(error: unknown): undefined {
  if (error instanceof PageFailure || error instanceof ReleaseError) return undefined;
  throw error;
}

/** A claim about a page that a browser has opened. */
export interface PageRule {
  readonly name: string;
  /** Whose page it looks at. */
  readonly visitors: readonly VisitorName[];
  see(visit: Visit, subject: PageSubject, live: LiveVisit): readonly Problem[] | Promise<readonly Problem[]>;
}

/** Something in a page that counts only if the live page has less of it. */
export interface Sighting {
  /** Equal in two pages that show the same. */
  readonly key: string;
  readonly text: string;
}

/** The sightings that the live page does not have. */
export async function newSightings(
  visit: Visit,
  live: LiveVisit,
  look: (visit: Visit) => readonly Sighting[] | Promise<readonly Sighting[]>,
): Promise<readonly Sighting[]> {
  const seen = await look(visit);
  const before = seen.length > 0 ? await live() : undefined;
  return withoutKnown(seen, (before && (await Promise.resolve(look(before)).catch(noComparison))) ?? []);
}

/** The sightings of which others contain fewer with the same key. */
export function withoutKnown<Seen extends Sighting>(
  seen: readonly Seen[],
  others: readonly Sighting[],
): readonly Seen[] {
  const known = new Map<string, number>();
  for (const { key } of others) known.set(key, (known.get(key) ?? 0) + 1);
  return seen.filter(({ key }) => {
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

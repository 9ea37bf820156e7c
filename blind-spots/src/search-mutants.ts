import type { Mutant } from '@countersign/webpack-config/build-mutants';
import type { Tab } from '../../release/src/check/browser/open-tab.ts';
import type { VisitorName } from '../../release/src/check/browser/visitors.ts';
import { errorMessage } from '../../release/src/platform/errors.ts';
import type { MutantPage, OpenMutants } from './mutant-page.ts';

/** What was found out about a mutant. */
export interface Result {
  readonly mutant: Mutant;
  /** `false` if it is marked, or time was over before all that could notice it had looked at it. */
  isTried: boolean;
  /** What detects it, and why. */
  noticedBy?: string | undefined;
  /** Whether pictures of the page as it opens show it. `undefined` if none was taken. */
  isVisible?: boolean;
  /** What a journey may do to notice it. */
  hint?: string | undefined;
}

/** Tabs that stay open, because to load a page again takes half as long as the first time. */
export class Tabs extends Map<VisitorName, Tab> implements AsyncDisposable {
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.values(), (tab) => tab[Symbol.asyncDispose]()));
  }
}

/** Handles items in lanes, each with tabs of its own. All lanes share the iterator, so that each takes the next item. */
export async function inLanes<Item>(
  lanes: number,
  items: IteratorObject<Item>,
  handle: (item: Item, tabs: Tabs) => Promise<void>,
): Promise<void> {
  const lane = async () => {
    await using tabs = new Tabs();
    for (const item of items) await handle(item, tabs);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Looks at a page with some mutants. Returns what it detects, if anything. */
export type Detector = (
  page: MutantPage,
  tabs: Tabs,
  mutants: readonly Mutant[],
) => Promise<string | undefined>;

/** How many mutants are looked at together at most. */
const maxTogether = 16;

interface SearchOptions {
  /** How many searches run at a time. */
  readonly lanes?: number;
  /** How many mutants a search begins with. Default: so many that no lane waits. */
  readonly size?: number;
  /** After this time no search begins, in milliseconds since the process started. */
  readonly deadline?: number;
  readonly progress?: (line: string) => void;
}

/**
 * Notes which mutants a detector detects. Turns several on at the same time, because most sets are looked at only once: if the
 * detector sees nothing, all of the set count as unnoticed, although one may hide the effect of another. Otherwise the search goes on
 * in its halves, down to single mutants. Returns those for which time did not suffice.
 *
 * @param open Mutants with which it rejects are noticed.
 */
export async function searchMutants(
  results: readonly Result[],
  open: OpenMutants,
  detect: Detector,
  { lanes = 1, size = results.length / lanes, deadline = Infinity, progress }: SearchOptions = {},
): Promise<readonly Result[]> {
  const left = new Set(results);
  const search = async (all: readonly Result[], tabs: Tabs): Promise<void> => {
    // Another search may have noticed some meanwhile.
    const set = all.filter(({ noticedBy }) => noticedBy === undefined);
    if (set.length === 0 || performance.now() >= deadline) return;
    const mutants = set.map(({ mutant }) => mutant);
    const page = await open(mutants).catch(errorMessage);
    const noticedBy = typeof page === 'string' ? `the build: ${page}` : await detect(page, tabs, mutants);
    if (noticedBy !== undefined && set.length > 1) {
      for (const half of [set.slice(0, set.length / 2), set.slice(set.length / 2)]) await search(half, tabs);
      return;
    }
    for (const result of set) {
      result.noticedBy ??= noticedBy;
      left.delete(result);
    }
    const done = results.length - left.size;
    if (done % 20 < set.length) progress?.(`${done} of ${results.length}`);
  };
  await inLanes(lanes, setsOf(results, Math.min(Math.ceil(size), maxTogether)), search);
  return [...left].filter(({ noticedBy }) => noticedBy === undefined);
}

/** Distributes mutants over sets. None changes a place inside of that of another one in its set, because the outer one may remove it. */
function* setsOf(results: readonly Result[], size: number): Generator<readonly Result[]> {
  // From all places, because time may be over before all were looked at.
  let waiting = [...Map.groupBy(results, (_result, index) => index % 16).values()].flat();
  while (waiting.length > 0) {
    const set: Result[] = [];
    for (const result of waiting)
      if (set.length < size && set.every((other) => areApart(result.mutant, other.mutant))) set.push(result);
    waiting = waiting.filter((result) => !set.includes(result));
    yield set;
  }
}

const areApart = (one: Mutant, other: Mutant) =>
  one.file !== other.file || one.span[1] <= other.span[0] || other.span[1] <= one.span[0];

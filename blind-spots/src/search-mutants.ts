import type { Mutant } from '@countersign/webpack-config/build-mutants';
import type { Tab } from '../../release/src/check/browser/open-tab.ts';
import type { VisitorName } from '../../release/src/check/browser/visitors.ts';
import { errorMessage } from '../../release/src/platform/errors.ts';
import type { MutantPage } from './mutant-page.ts';

/** What was found out about a mutant. */
export interface Result {
  readonly mutant: Mutant;
  /** `false` if it is marked, or time was over before all that could notice it had looked at it. */
  isTried: boolean;
  /** What detects it, and why. */
  noticedBy?: string | undefined;
  /** Whether a person can see it in the page as it opens. */
  isVisible: boolean;
  /** Steps of journeys that would notice it. */
  steps: readonly string[];
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
  /** How many mutants the first searches look at. Later ones look at more while little is noticed. Default: so many that no lane waits. */
  readonly size?: number;
  /** After this time no search begins, in milliseconds since the process started. */
  readonly deadline?: number;
  readonly progress?: (line: string) => void;
}

/**
 * Notes which mutants a detector detects. Turns several on at the same time, because most sets are looked at only once: if the
 * detector sees nothing, all of the set are unnoticed. Otherwise the search goes on in its halves, down to single mutants.
 *
 * @param open opens the page with some mutants. Those with which it rejects are noticed.
 */
export async function searchMutants(
  results: readonly Result[],
  open: (mutants: readonly Mutant[]) => Promise<MutantPage>,
  detect: Detector,
  { lanes = 1, size: first = results.length / lanes, deadline = Infinity, progress }: SearchOptions = {},
): Promise<void> {
  let size = Math.min(Math.ceil(first), maxTogether);
  const detectIn = async (set: readonly Result[], tabs: Tabs): Promise<string | undefined> => {
    const mutants = set.map(({ mutant }) => mutant);
    const page = await open(mutants).catch(errorMessage);
    return typeof page === 'string' ? `the build: ${page}` : detect(page, tabs, mutants);
  };
  const search = async (set: readonly Result[], tabs: Tabs): Promise<void> => {
    const noticedBy = await detectIn(set, tabs);
    size = noticedBy === undefined ? Math.min(size * 2, maxTogether) : Math.max(size / 2, 1);
    if (noticedBy === undefined) return;
    const [only, ...others] = set;
    if (only && others.length === 0) only.noticedBy = noticedBy;
    else for (const half of halvesOf(set)) await search(half, tabs);
  };
  const sets = setsOf(results, () => (performance.now() < deadline ? size : 0), progress);
  const begun = new Set<Result>();
  await inLanes(lanes, sets, async (set, tabs) => {
    for (const result of set) begun.add(result);
    await search(set, tabs);
  });
  for (const result of results) result.isTried &&= begun.has(result);
}

const halvesOf = <Item>(items: readonly Item[]) => [
  items.slice(0, items.length / 2),
  items.slice(items.length / 2),
];

/** Distributes mutants over sets. Those of a set can be seen beside each other, because none changes a place inside of another's. */
function* setsOf(
  results: readonly Result[],
  sizeNow: () => number,
  progress?: (line: string) => void,
): Generator<readonly Result[]> {
  // From all places, because time may be over before all were looked at.
  let waiting = [...Map.groupBy(results, (_result, index) => index % 16).values()].flat();
  for (let size = sizeNow(); waiting.length > 0 && size > 0; size = sizeNow()) {
    const set: Result[] = [];
    for (const result of waiting)
      if (set.length < size && set.every((other) => areApart(result.mutant, other.mutant))) set.push(result);
    const done = results.length - waiting.length;
    if (done > 0 && done % 20 < set.length) progress?.(`${done} of ${results.length}`);
    waiting = waiting.filter((result) => !set.includes(result));
    yield set;
  }
}

const areApart = (one: Mutant, other: Mutant) =>
  one.file !== other.file || one.span[1] <= other.span[0] || other.span[1] <= one.span[0];

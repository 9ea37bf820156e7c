import type { Mutant } from '@countersign/webpack-config/build-mutants';
import type { OpenPage } from '../browser/open-page.ts';
import type { VisitorName } from '../browser/visitors.ts';
import { errorMessage } from '../../platform/file-error.ts';
import type { MutantPage } from './mutant-page.ts';

/** What was found out about a mutant. */
export interface Result {
  readonly mutant: Mutant;
  /** Whether all that could notice it has looked at it. */
  isTried: boolean;
  /** What detects it, and why. */
  noticedBy?: string | undefined;
  /** Whether a person can see it in the page as it opens. */
  isVisible: boolean;
  /** Steps of journeys that would notice it. */
  steps: readonly string[];
}

/** Tabs that stay open, because to load a page again takes half as long as the first time. */
export class Pages extends Map<VisitorName, OpenPage> implements AsyncDisposable {
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.values(), (page) => page[Symbol.asyncDispose]()));
  }
}

/** Looks at a page with some mutants. Returns what it detects, if anything. */
export type Detector = (
  page: MutantPage,
  pages: Pages,
  mutants: readonly Mutant[],
) => Promise<string | undefined>;

/** How many mutants are looked at together at most. */
const maxTogether = 16;

interface SearchOptions {
  /** How many searches run at a time. */
  readonly lanes?: number;
  /** How many mutants the first search looks at. Later ones look at more while little is noticed. */
  readonly size?: number;
  /** After this time no search begins, in milliseconds since the process started. */
  readonly deadline?: number;
  readonly progress?: (line: string) => void;
}

/**
 * Notes which mutants a detector detects. If it detects something in a set of them, it looks at the halves.
 *
 * @param open opens the page with some mutants. Those with which it rejects are noticed.
 */
export async function searchMutants(
  results: readonly Result[],
  open: (mutants: readonly Mutant[]) => Promise<MutantPage>,
  detect: Detector,
  { lanes = 1, size: first = maxTogether, deadline = Infinity, progress }: SearchOptions = {},
): Promise<void> {
  let size = first;
  const search = async (all: readonly Result[], pages: Pages): Promise<void> => {
    // Another search may have found some.
    const set = all.filter(({ noticedBy }) => noticedBy === undefined);
    const [one, ...others] = set;
    if (!one) return;
    const mutants = set.map(({ mutant }) => mutant);
    const page = await open(mutants).catch(errorMessage);
    const noticedBy = typeof page === 'string' ? `the build: ${page}` : await detect(page, pages, mutants);
    size = noticedBy === undefined ? Math.min(size * 2, maxTogether) : Math.max(size / 2, 1);
    if (noticedBy === undefined) return;
    if (others.length === 0) one.noticedBy = noticedBy;
    else
      for (const half of [set.slice(0, set.length / 2), set.slice(set.length / 2)]) await search(half, pages);
  };
  const sets = setsOf(results, () => (performance.now() < deadline ? size : 0), progress);
  const lane = async () => {
    await using pages = new Pages();
    for (const set of sets) {
      await search(set, pages);
      for (const result of set) result.isTried = true;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Sets of mutants that can be seen beside each other, because none changes a place inside of another's. */
function* setsOf(
  results: readonly Result[],
  size: () => number,
  progress?: (line: string) => void,
): Generator<readonly Result[]> {
  // From all places, because time may be over before all were looked at.
  let waiting = [...Map.groupBy(results, (_result, index) => index % 16).values()].flat();
  for (let limit = size(); waiting.length > 0 && limit > 0; limit = size()) {
    const set: Result[] = [];
    for (const result of waiting)
      if (set.length < limit && set.every((other) => areApart(result.mutant, other.mutant))) set.push(result);
    const done = results.length - waiting.length;
    if (done > 0 && done % 20 < set.length) progress?.(`${done} of ${results.length}`);
    waiting = waiting.filter((result) => !set.includes(result));
    yield set;
  }
}

const areApart = (one: Mutant, other: Mutant) =>
  one.file !== other.file || one.span[1] <= other.span[0] || other.span[1] <= one.span[0];

import type { PartName } from '@countersign/contracts/remotes';
import type { SecondAttempt } from '../../store/second-attempts.ts';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import { brokenInvariants, violationOf, type Observation, type PageViolation } from './invariants.ts';

/** The results of the check: of one visitor of a page, of the page, and of all pages of a release. */
export interface Findings {
  readonly violations: readonly PageViolation[];
  /** Violations that a person may accept. */
  readonly changedLooks: readonly PageViolation[];
  /** Why the version cannot be judged: the live page had the same violations at the same time. */
  readonly undecided: readonly string[];
  /** The journeys and inspections that failed at first, and passed at the second attempt. */
  readonly secondAttempts: readonly SecondAttempt[];
}

/** The observation of a page, beside the live page at the same time. */
interface Attempted {
  readonly seen: Observation | PageFailure;
  /** Whether the page was so fast that the machine cannot be the cause of a late live page. */
  readonly isFast: boolean;
  readonly liveObserved: Observation | OutOfTime | undefined;
  /** The live page at the first attempt, if this is the second. */
  readonly liveBefore: Observation | undefined;
}

/** Invariants that a sound page can break on a slow machine. */
const slowable = ['keys', 'traps', 'long tasks', 'hidden', 'growth', 'frames', 'first frames'] as const;

/**
 * Judges one attempt of an inspection.
 *
 * @param parts those that are released
 * @param options `heavy` is what the page loads too much of, as predicates. `comparesLooks` is `false` for previous versions and canaries
 * of remotes, which may look otherwise.
 */
export function judgePage(
  { seen, isFast, liveObserved, liveBefore }: Attempted,
  parts: readonly PartName[],
  { heavy, comparesLooks }: { readonly heavy: readonly string[]; readonly comparesLooks: boolean },
): Findings {
  const isLate = seen instanceof PageFailure ? seen instanceof OutOfTime : !isFast;
  const late =
    liveObserved instanceof OutOfTime && isLate
      ? [`the live page took more than ${liveObserved.seconds} s, too`]
      : [];
  if (seen instanceof PageFailure)
    return { violations: [violationOf(seen.message)], changedLooks: [], undecided: late, secondAttempts: [] };
  const known = liveBefore ? [liveBefore] : [];
  const now = liveObserved && !(liveObserved instanceof OutOfTime) ? [liveObserved] : [];
  const broken = brokenInvariants(seen, [...known, ...now], parts);
  const violations = [...heavy.map(violationOf), ...broken.violations];
  // If only the second observation of the live page excuses a violation, the machine is slow.
  const slow = Object.fromEntries(slowable.map((name) => [name, seen[name] ?? []]));
  const [excused] =
    liveBefore && violations.length === 0 ? brokenInvariants(slow, known, parts).violations : [];
  const alsoLive = excused ? [`the live page does so, too: it ${excused.text}`] : [];
  return {
    violations,
    changedLooks: comparesLooks ? broken.changedLooks : [],
    undecided: late.length > 0 ? late : alsoLive,
    secondAttempts: [],
  };
}

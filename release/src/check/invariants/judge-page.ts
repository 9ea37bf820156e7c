import { pageReportPath } from '@countersign/contracts/part-event';
import type { PartName } from '@countersign/contracts/remotes';
import type { SecondAttempt } from '../../store/second-attempts.ts';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import { brokenInvariants, violationOf, type Observation, type PageViolation } from './invariants.ts';
import { scrollKeys } from './press-keys.ts';

/** The judgement on a page as one visitor saw it. */
export interface Judgement {
  readonly violations: readonly PageViolation[];
  /** Violations that a person may accept. */
  readonly changedLooks: readonly PageViolation[];
  /** Why the version cannot be judged: the live page had the same violations at the same time. */
  readonly undecided: readonly string[];
}

/** The results of the check: of one visitor of a page, of the page, and of all pages of a release. */
export interface Findings extends Judgement {
  /** The journeys and inspections that failed at first, and passed at the second attempt. */
  readonly secondAttempts: readonly SecondAttempt[];
}

/** A page and the live page, observed at the same time. */
export interface ObservedPages {
  readonly observed: Observation | PageFailure;
  /** Whether the page was so fast that the machine cannot be the cause of a late live page. */
  readonly isFast: boolean;
  readonly liveObserved: { readonly observation: Observation } | OutOfTime | undefined;
}

/** Invariants that a sound page can break on a slow machine. */
const slowable = [
  'keys',
  'reports',
  'traps',
  'long tasks',
  'hidden',
  'growth',
  'frames',
  'first frames',
] as const;

/** The observation of a sound page, of the invariants in `slowable` for which one must observe something. */
export const soundPage = { keys: scrollKeys, reports: [pageReportPath] } satisfies Observation;

/**
 * Judges a page as it was observed beside the live one.
 *
 * @param first the first observation, if this is the second, and the page did not fail as a whole at the first
 * @param parts those that are released
 * @param options `heavy` is what the page loads too much of, as predicates. `comparesLooks` is `false` for previous versions and canaries
 * of remotes.
 */
export function judgePage(
  { observed, isFast, liveObserved }: ObservedPages,
  first: ObservedPages | undefined,
  parts: readonly PartName[],
  { heavy, comparesLooks }: { readonly heavy: readonly string[]; readonly comparesLooks: boolean },
): Judgement {
  const isLate = observed instanceof PageFailure ? observed instanceof OutOfTime : !isFast;
  const late =
    liveObserved instanceof OutOfTime && isLate
      ? [`the live page took more than ${liveObserved.seconds} s, too`]
      : [];
  if (observed instanceof PageFailure) {
    return { violations: [violationOf(observed.message)], changedLooks: [], undecided: late };
  }
  const known = first ? observationsIn(first) : [];
  const broken = brokenInvariants(observed, [...known, ...observationsIn({ liveObserved })], parts);
  const violations = [...heavy.map(violationOf), ...broken.violations];
  const changedLooks = comparesLooks ? broken.changedLooks : [];
  const needsNone = late.length > 0 || violations.length > 0;
  const undecided = needsNone ? late : findNewExcuse(observed, known, parts);
  return { violations, changedLooks, undecided };
}

/**
 * The violations that only the second observation of the live page excuses, so that the machine is slow. For example, the page shows the
 * theme late, the live page did not at first, and does now.
 *
 * @param known the first observation of the live page, if there is one
 */
function findNewExcuse(
  observed: Observation,
  known: readonly Observation[],
  parts: readonly PartName[],
): readonly string[] {
  if (known.length === 0) return [];
  const [excused] = findSlowness(observed, known, parts);
  return excused ? [`the live page does so, too: it ${excused.text}`] : [];
}

/** The violations that a sound page can have on a slow machine. */
export function findSlowness(
  observed: Observation,
  known: readonly Observation[],
  parts: readonly PartName[],
): readonly PageViolation[] {
  // What a visitor does not observe stays `undefined`, and is not compared.
  const slow = Object.fromEntries(slowable.map((name) => [name, observed[name]]));
  return brokenInvariants(slow, known, parts).violations;
}

/** The live page, unless it was late or broken. */
export const observationsIn = ({ liveObserved }: Pick<ObservedPages, 'liveObserved'>) =>
  !liveObserved || liveObserved instanceof OutOfTime ? [] : [liveObserved.observation];

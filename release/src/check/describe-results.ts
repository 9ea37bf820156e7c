import type { CountedSecondAttempts, SecondAttempt } from '../store/second-attempts.ts';
import type { PictureComparison } from '../store/stored-pictures.ts';
import type { JourneyResults } from './journeys/run-journeys.ts';

/** The comparison as a predicate of the version: `looks like 1.2.0 in all 4 pictures, and drops the journey "…"`. */
export function describePictures({
  live: liveVersion,
  compared,
  changed,
  journeys,
}: PictureComparison): string {
  const looks =
    changed.length === 0
      ? `looks like ${liveVersion} in all ${compared} pictures`
      : `looks different from ${liveVersion} in ${changed.length} of ${compared} pictures`;
  const { dropped = [], changed: rewritten = [] } = journeys ?? {};
  const promises = [
    ...dropped.map((name) => `drops the journey "${name}"`),
    ...rewritten.map((name) => `changes the journey "${name}"`),
  ];
  return [looks, ...promises].join(', and ');
}

/** `journey "yearly is chosen" of mf-pricing` */
const attemptName = ({ part, journey }: SecondAttempt): string =>
  journey === undefined ? `inspection of ${part}` : `journey "${journey}" of ${part}`;

/** A line of `check`, `promote`, `canary` and `watch`. */
export const describeSecondAttempt = (attempt: SecondAttempt): string =>
  `second attempts: ${attemptName(attempt)}: ${attempt.why}`;

/** A line of `status` and of the board. */
export const describeSecondAttempts = (counted: CountedSecondAttempts): string =>
  `${attemptName(counted)}: ${counted.count} since ${counted.since.slice(0, 10)}, the last one after: ${counted.why}`;

/** Lines of `probe`, and of `dev` with `--journeys`. */
export const describeJourneys = ({ secondAttempts, broken }: JourneyResults): readonly string[] => [
  ...secondAttempts.map(describeSecondAttempt),
  ...broken.map(({ part, name, where, why }) => `${part}: "${name}" is broken (${where}): ${why}`),
];

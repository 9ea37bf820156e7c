import { isDeepStrictEqual } from 'node:util';
import type { Journeys } from '@countersign/contracts/journeys';
import { forVisitor, type VisitorName } from './browser/visitors.ts';
import { violationOf, type PageViolation } from './invariants/invariants.ts';
import type { Judgement } from './invariants/judge-page.ts';
import type { BrokenJourney } from './journeys/run-journeys.ts';

/** Merges the violations that several visitors saw. Those of a single visitor come last, and name the visitor. */
export function mergeViolations(
  inspections: readonly (Judgement & { readonly visitor: VisitorName })[],
  kind: 'violations' | 'changedLooks',
): PageViolation[] {
  const all = inspections.flatMap(({ visitor, [kind]: found }) =>
    found.map((violation) => ({ visitor, ...violation })),
  );
  const merged = [...Map.groupBy(all, ({ key }) => key).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { visitor, key, text } = first;
    const byOneVisitor = others.every((other) => other.visitor === visitor);
    return [{ key, text: byOneVisitor ? `${text}, ${forVisitor(visitor)}` : text, byOneVisitor }];
  });
  return merged.toSorted((one, other) => Number(one.byOneVisitor) - Number(other.byOneVisitor));
}

/** A broken journey, and whether a single visitor cannot follow it. */
interface MergedJourney extends BrokenJourney {
  readonly byOneVisitor: boolean;
}

/** The journeys to report beside other violations. One that is broken for several visitors is named once. */
export function mergeBrokenJourneys(
  all: readonly BrokenJourney[],
  others: readonly PageViolation[],
): readonly MergedJourney[] {
  const reported = new Set(others.map(({ key }) => key));
  // A journey repeats reported violations if its page failed as a whole by one, or if its steps passed and all its violations are reported.
  const repeats = ({ pageFailure, violations = pageFailure && [pageFailure.message] }: BrokenJourney) =>
    violations?.every((text) => reported.has(violationOf(text).key)) ?? false;
  const broken = all.filter((journey) => !repeats(journey));
  const byName = Map.groupBy(broken, ({ part, name }) => `${part} ${name}`);
  return [...byName.values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, byOneVisitor: rest.length === 0 }] : [],
  );
}

/** How the promises of a version differ from those of the live one. */
export function compareJourneys(liveJourneys: Journeys = {}, candidateJourneys: Journeys = {}) {
  const names = Object.keys(liveJourneys);
  return {
    dropped: names.filter((name) => !candidateJourneys[name]),
    changed: names.filter(
      (name) => candidateJourneys[name] && !isDeepStrictEqual(liveJourneys[name], candidateJourneys[name]),
    ),
  };
}

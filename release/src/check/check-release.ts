import { completeIntegrity } from './complete-integrity.ts';
import { contractTypes } from './contract-types.ts';
import { exposedKeys } from './exposed-keys.ts';
import type { ReleaseCandidate, Violation, Rule } from './violation.ts';
import { recordCheckedPairs, uncheckedPairs } from './compatibility-matrix.ts';
import { scopedStyles } from './scoped-styles.ts';
import { sharedModules } from './shared-modules.ts';
import { sizeBudget } from './size-budget.ts';

type Rules = Readonly<Record<string, Rule>>;

/** Rules that depend on all live versions, so they run for each release. */
const quickRules: Rules = {
  'exposed-keys': exposedKeys,
  'shared-modules': sharedModules,
  'size-budget': sizeBudget,
  'complete-integrity': completeIntegrity,
  'scoped-styles': scopedStyles,
};

/**
 * Rules that take seconds. Their result is cached per pair of a remote and a shell, so two remotes that were checked separately
 * can become live together without a check of the page that shows both.
 */
const slowRules: Rules = {
  'contract-types': contractTypes,
  'rendered-page': async (candidate, pairs) => {
    // Imported on demand, because it loads slowly and only this rule needs it.
    const { renderedPage } = await import('./rendered-page.ts');
    return renderedPage(candidate, pairs);
  },
};

interface CheckOptions {
  /** Skip the slow rules. */
  readonly quick?: boolean;
  progress?(rule: string): void;
}

interface CheckOutcome {
  readonly violations: readonly Violation[];
  /** Whether every rule ran, or had passed before for the same pairs. */
  readonly complete: boolean;
}

/** Runs all rules and collects their violations. */
export async function checkRelease(
  candidate: ReleaseCandidate,
  { quick = false, progress = () => undefined }: CheckOptions = {},
): Promise<CheckOutcome> {
  const { store, next, live } = candidate;
  const pairs = await uncheckedPairs(store, next, live);
  const rules = quick || pairs.length === 0 ? quickRules : { ...quickRules, ...slowRules };
  // Concurrently, because the page is rendered in another process while a thread compiles the contracts.
  const results = await Promise.all(
    Object.entries(rules).map(([name, rule]) => {
      progress(name);
      return rule(candidate, pairs);
    }),
  );
  const violations = results.flat();
  if (!quick && violations.length === 0) await recordCheckedPairs(store, pairs);
  return { violations, complete: !quick || pairs.length === 0 };
}

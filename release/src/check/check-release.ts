import { completeIntegrity } from './complete-integrity.ts';
import { contractTypes } from './contract-types.ts';
import { exposedKeys } from './exposed-keys.ts';
import type { Candidate, Finding, Rule } from './finding.ts';
import { rememberPairs, unknownPairs } from './pairs.ts';
import { scopedStyles } from './scoped-styles.ts';
import { sharedModules } from './shared-modules.ts';
import { sizeBudget } from './size-budget.ts';

type Rules = Readonly<Record<string, Rule>>;

/** What depends on everything that is live, and is looked at each time. */
const quickRules: Rules = {
  'exposed-keys': exposedKeys,
  'shared-modules': sharedModules,
  'size-budget': sizeBudget,
  'complete-integrity': completeIntegrity,
  'scoped-styles': scopedStyles,
};

/** What takes seconds, and depends on a remote and its shell alone. */
const slowRules: Rules = {
  'contract-types': contractTypes,
  'rendered-page': async (candidate, pairs) => {
    // Slow to load, and needed by no other command.
    const { renderedPage } = await import('./rendered-page.ts');
    return renderedPage(candidate, pairs);
  },
};

interface CheckOptions {
  /** Leave out what takes seconds. */
  readonly quick?: boolean;
  progress?(rule: string): void;
}

/** The outcome of a look at a state of the page that is to become live. */
export interface CheckOutcome {
  readonly findings: readonly Finding[];
  /** Whether everything was looked at, or was known to be well. */
  readonly complete: boolean;
}

/** Looks at everything, also after something was found. */
export async function checkRelease(
  candidate: Candidate,
  { quick = false, progress = () => undefined }: CheckOptions = {},
): Promise<CheckOutcome> {
  const { store, next, live } = candidate;
  const pairs = await unknownPairs(store, next, live);
  const rules = quick || pairs.length === 0 ? quickRules : { ...quickRules, ...slowRules };
  // All at once: the page is rendered in another process while this one compiles the contracts.
  const found = await Promise.all(
    Object.entries(rules).map(([name, rule]) => {
      progress(name);
      return rule(candidate, pairs);
    }),
  );
  const findings = found.flat();
  if (!quick && findings.length === 0) await rememberPairs(store, pairs);
  return { findings, complete: !quick || pairs.length === 0 };
}

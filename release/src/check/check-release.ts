import { completeIntegrity } from './complete-integrity.ts';
import { contractTypes } from './contract-types.ts';
import { exposedKeys } from './exposed-keys.ts';
import type { Candidate, Finding, Rule } from './finding.ts';
import { scopedStyles } from './scoped-styles.ts';
import { sharedModules } from './shared-modules.ts';
import { sizeBudget } from './size-budget.ts';

/** What is looked at before a state of the page may become live, cheapest first. */
const rules: Readonly<Record<string, Rule>> = {
  'exposed-keys': exposedKeys,
  'shared-modules': sharedModules,
  'size-budget': sizeBudget,
  'complete-integrity': completeIntegrity,
  'scoped-styles': scopedStyles,
  'contract-types': contractTypes,
  'rendered-page': async (candidate) => {
    // Slow to load, and needed by no other command.
    const { renderedPage } = await import('./rendered-page.ts');
    return renderedPage(candidate);
  },
};

/** Looks at everything, also after something was found. */
export async function checkRelease(
  candidate: Candidate,
  progress: (rule: string) => void = () => undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [name, rule] of Object.entries(rules)) {
    progress(name);
    findings.push(...(await rule(candidate)));
  }
  return findings;
}

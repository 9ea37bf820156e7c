import { printableLine } from '../platform/printable.ts';
import type { SecondAttempt } from '../store/second-attempts.ts';
import { UndecidedCheck } from '../platform/release-error.ts';
import { readVersion } from '../store/stored-version.ts';
import type { PageViolation } from './invariants/invariants.ts';
import { completeIntegrity } from './rules/complete-integrity.ts';
import { contractTypes } from './rules/contract-types.ts';
import { scopedStyles } from './rules/scoped-styles.ts';
import { sharedModules } from './rules/shared-modules.ts';
import { sizeBudget } from './rules/size-budget.ts';
import type { Reuse } from './check-pages.ts';
import { versionsToCheck } from './planned-pages.ts';
import type { ReleaseCandidate } from './release-candidate.ts';
import type { VersionRule } from './rules/version-rule.ts';

/** A reason not to deploy a release. */
export interface RuleViolation {
  /** Name of the rule, such as `shared-modules`. */
  readonly rule: string;
  readonly message: string;
}

interface CheckOptions {
  /** Skip `rendered-page`, which takes seconds. */
  readonly skipsPage: boolean;
  /** Which sets of versions that passed before are not opened again. */
  readonly reuse: Reuse;
}

/**
 * Runs all rules. Collects their violations, and the journeys and inspections that passed only at their second attempt, which it also
 * counts in the store. Throws an {@link UndecidedCheck} if there are no violations, but the machine was too busy to find all.
 */
export async function checkRelease(
  candidate: ReleaseCandidate,
  { skipsPage, reuse }: CheckOptions,
): Promise<{
  readonly violations: readonly RuleViolation[];
  /** What the machine was too busy to check, beside the violations, as sentences. */
  readonly undecided: readonly string[];
  readonly secondAttempts: readonly SecondAttempt[];
  /** `false` if the live page did not open, so that nothing was compared with it. */
  readonly isCompared: boolean;
}> {
  const { store } = candidate;
  const { released, remotes, opened, shellVersions } = versionsToCheck(candidate);
  const shells = await Promise.all(shellVersions.map((version) => readVersion(store, 'shell', version)));
  const runRule = async (rule: string, versions: typeof released, findViolations: VersionRule) => {
    const messages = versions.map(async ({ part, version }) => {
      const read = await readVersion(store, part, version);
      const predicates = await Promise.all(
        shells.map(async ({ manifest }) => findViolations({ store, shell: manifest, ...read })),
      );
      return predicates.flat().map((predicate) => `${part} ${version} ${predicate}`);
    });
    // A remote may violate a rule with both shells alike.
    return violationsOf(rule, new Set((await Promise.all(messages)).flat()));
  };
  const openPages = async () => {
    if (skipsPage || opened.length === 0) return undefined;
    // Loaded only when it runs, because that takes long.
    const { checkPages } = await import('./check-pages.ts');
    return checkPages(candidate, opened, { reuse });
  };
  // Concurrently, because other processes render the page and compile the contracts.
  const [findings, ...byRule] = await Promise.all([
    openPages(),
    runRule('shared-modules', remotes, sharedModules),
    runRule('size-budget', released, sizeBudget),
    runRule('complete-integrity', released, completeIntegrity),
    runRule('scoped-styles', released, scopedStyles),
    runRule('contract-types', remotes, contractTypes),
  ]);
  const violations = byRule.flat();
  const {
    changedLooks = [],
    violations: broken = [],
    undecided = [],
    secondAttempts = [],
    isCompared = true,
  } = findings ?? {};
  if (violations.length + broken.length === 0 && undecided.length > 0)
    throw new UndecidedCheck(`${undecided.join(' ')} Nothing was changed. Check again when it is idle.`);
  violations.push(...violationsOf('changed-looks', textsOf(changedLooks)));
  violations.push(...violationsOf('rendered-page', textsOf(broken)));
  await store.secondAttempts.add(secondAttempts);
  return { violations, undecided, secondAttempts, isCompared };
}

const violationsOf = (rule: string, messages: Iterable<string>) =>
  Array.from(messages, (message): RuleViolation => ({ rule, message: printableLine(message) }));
const textsOf = (found: readonly PageViolation[]) => found.map(({ text }) => text);

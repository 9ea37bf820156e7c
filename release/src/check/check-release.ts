import { printableLine } from '../platform/printable.ts';
import type { SecondAttempt } from '../store/second-attempts.ts';
import { UndecidedCheck } from '../platform/release-error.ts';
import { readShell, readVersion } from '../store/stored-version.ts';
import { completeIntegrity } from './rules/complete-integrity.ts';
import { contractTypes } from './rules/contract-types.ts';
import { scopedStyles } from './rules/scoped-styles.ts';
import { sharedModules } from './rules/shared-modules.ts';
import { sizeBudget } from './rules/size-budget.ts';
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
  /** Do not open the page with versions again with which it was opened before without a violation. */
  readonly skipsSound: boolean;
}

/**
 * Runs all rules. Collects their violations, and the journeys and inspections that passed only at their second attempt, which it also
 * counts in the store. Throws an {@link UndecidedCheck} if there are no violations, but the machine was too busy to find all.
 */
export async function checkRelease(
  candidate: ReleaseCandidate,
  { skipsPage, skipsSound }: CheckOptions,
): Promise<{
  readonly violations: readonly RuleViolation[];
  readonly secondAttempts: readonly SecondAttempt[];
}> {
  const { store, next } = candidate;
  const { added, remotes, opened, shellVersions, shellCanary } = versionsToCheck(candidate);
  const shells = await Promise.all(shellVersions.map((version) => readVersion(store, 'shell', version)));
  const runRule = async (versions: typeof added, check: VersionRule) => {
    const messages = versions.map(async ({ part, version }) => {
      const read = await readVersion(store, part, version);
      const found = await Promise.all(
        shells.map(async ({ manifest }) => check({ store, shell: manifest, ...read })),
      );
      return found.flat().map((predicate) => `${part} ${version} ${predicate}`);
    });
    // A remote may violate a rule with both shells alike.
    return [...new Set((await Promise.all(messages)).flat())];
  };
  // A new canary of the shell has a page of its own, which is opened in place of the live shell's.
  const rendered = shellCanary === undefined ? next : { ...next, shell: await readShell(store, shellCanary) };
  const rules: Record<string, () => Promise<readonly string[]>> = {
    'shared-modules': () => runRule(remotes, sharedModules),
    'size-budget': () => runRule(added, sizeBudget),
    'complete-integrity': () => runRule(added, completeIntegrity),
    'scoped-styles': () => runRule(added, scopedStyles),
    'contract-types': () => runRule(remotes, contractTypes),
  };
  // Loaded only when it runs, because that takes long.
  const rendering =
    skipsPage || opened.length === 0
      ? undefined
      : import('./check-pages.ts').then(({ checkPages }) =>
          checkPages({ ...candidate, next: rendered }, opened, { skipsSound }),
        );
  if (rendering) {
    rules['changed-looks'] = async () => (await rendering).changedLooks.map(({ text }) => text);
    rules['rendered-page'] = async () => (await rendering).violations.map(({ text }) => text);
  }
  // Concurrently, because other processes render the page and compile the contracts.
  const undecided: UndecidedCheck[] = [];
  const checked = Object.entries(rules).map(async ([rule, check]) => {
    const messages = await check().catch((error: unknown) => {
      if (!(error instanceof UndecidedCheck)) throw error;
      undecided.push(error);
      return [];
    });
    return messages.map((message) => ({ rule, message: printableLine(message) }));
  });
  const violations = (await Promise.all(checked)).flat();
  if (violations.length === 0 && undecided[0]) throw undecided[0];
  // An undecided rendering has rejected.
  const secondAttempts = rendering && undecided.length === 0 ? (await rendering).secondAttempts : [];
  await store.secondAttempts.add(secondAttempts);
  return { violations, secondAttempts };
}

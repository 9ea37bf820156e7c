import { referencedVersions } from '@countersign/contracts/release-versions';
import { printableLine } from '../store/printable.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { ReleaseError } from '../store/release-error.ts';
import { completeIntegrity } from './complete-integrity.ts';
import { contractTypes } from './contract-types.ts';
import type { ReleaseCandidate, RemoteVersionName, Rule } from './violation.ts';
import { scopedStyles } from './scoped-styles.ts';
import { sharedModules } from './shared-modules.ts';
import { sizeBudget } from './size-budget.ts';

/** Rules that take less than a second, so they run for each release. */
const quickRules: Readonly<Record<string, Rule>> = {
  'shared-modules': sharedModules,
  'size-budget': sizeBudget,
  'complete-integrity': completeIntegrity,
  'scoped-styles': scopedStyles,
  'contract-types': contractTypes,
};

/** Takes seconds, also to load. It runs for versions that visitors do not get yet, and for all with a new shell. */
const slowRule = {
  'rendered-page': async (...args: Parameters<Rule>) =>
    (await import('./rendered-page.ts')).renderedPage(...args),
};

interface CheckOptions {
  /** Skip the slow rule. */
  readonly quick?: boolean;
  progress?(rule: string): void;
}

/** A reason not to deploy a release. */
interface Violation {
  /** Name of the rule, such as `shared-modules`. */
  readonly rule: string;
  readonly message: string;
}

interface CheckOutcome {
  readonly violations: readonly Violation[];
  /** Whether every rule ran that the change needs. */
  readonly complete: boolean;
}

/** Runs all rules and collects their violations. */
export async function checkRelease(
  candidate: ReleaseCandidate,
  { quick = false, progress = () => undefined }: CheckOptions = {},
): Promise<CheckOutcome> {
  const remotes = remotesToCheck(candidate);
  const rules = quick || remotes.length === 0 ? quickRules : { ...quickRules, ...slowRule };
  // Concurrently, because other processes render the page and compile the contracts.
  const results = await Promise.all(
    Object.entries(rules).map(async ([rule, check]): Promise<Violation[]> => {
      progress(rule);
      const messages = await check(candidate, remotes);
      return messages.map((message) => ({ rule, message: printableLine(message) }));
    }),
  );
  return { violations: results.flat(), complete: !quick || remotes.length === 0 };
}

/**
 * Throws a {@link ReleaseError} that lists all violations of a release. With `force` it skips the slow rule and returns the
 * violations instead, because the history records them.
 */
export async function runPreDeployCheck(
  candidate: ReleaseCandidate,
  force: boolean,
): Promise<readonly string[]> {
  const { violations, complete } = await checkRelease(candidate, { quick: force });
  const messages = violations.map(({ message }) => message);
  if (force) return complete ? messages : [...messages, 'The rendering was not checked.'];
  if (messages.length > 0) throw new ReleaseError(messages.join('\n'));
  return [];
}

function remotesToCheck({ next, live }: ReleaseCandidate): readonly RemoteVersionName[] {
  const isNewShell = live?.shell.version !== next.shell.version;
  const versions = isNewShell ? referencedVersions(next) : newlyReferencedVersions(live, next);
  return versions.flatMap(({ part, version }) => (part === 'shell' ? [] : [{ part, version }]));
}

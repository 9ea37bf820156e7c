import type { RuleViolation } from '../check/check-release.ts';
import { describeSecondAttempt } from '../check/describe-results.ts';
import type { PreDeployCheck } from '../deploy/deploy-release.ts';
import { RefusedRelease } from '../platform/release-error.ts';
import { pageNotOpened } from '../store/stored-documents.ts';
import { createCandidate, type CommandContext } from './command-context.ts';
import { printProgress } from './print.ts';

/** The options of a change that override what its check finds. */
type Overrides = Partial<Record<'force' | 'looksChanged', boolean | undefined>>;

/**
 * Checks what visitors get by a change, and prints what the check could not see, or saw only at a second attempt. With `force`, the
 * page is not opened.
 */
export function createPreDeployCheck(context: CommandContext, overrides: Overrides = {}): PreDeployCheck {
  return async (next, liveState, siteConfig) => {
    // Loaded only when it runs, because a rollback does not wait for its parsers.
    const { checkRelease } = await import('../check/check-release.ts');
    const options = { skipsPage: overrides.force ?? false, reuse: 'same live versions' as const };
    const candidate = createCandidate(context, next, liveState, siteConfig);
    const checked = await checkRelease(candidate, options);
    const { violations, undecided, secondAttempts, isCompared } = checked;
    for (const attempt of secondAttempts) printProgress(describeSecondAttempt(attempt));
    undecided.forEach(printProgress);
    if (!isCompared && undecided.length === 0)
      printProgress('The page was not compared with the live one, which could not be observed.');
    return assertNoViolations(violations, overrides);
  };
}

/** Throws a {@link RefusedRelease} that lists the violations. Returns those that were overridden, because the history records them. */
function assertNoViolations(
  violations: readonly RuleViolation[],
  { force = false, looksChanged = false }: Overrides,
): readonly string[] {
  const messagesOf = (found: typeof violations) => found.map(({ message }) => message);
  if (force) return [...messagesOf(violations), pageNotOpened];
  const refused = violations.filter(({ rule }) => rule !== 'changed-looks' || !looksChanged);
  if (refused.length > 0) throw new RefusedRelease(messagesOf(refused).join('\n'));
  return messagesOf(violations);
}

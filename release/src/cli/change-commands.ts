import { liveVersionOf } from '@countersign/contracts/release-versions';
import { remoteNames, type PartName } from '@countersign/contracts/remotes';
import { partsOf, type Change } from '../deploy/change.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { assertAllowed, readOwners } from '../deploy/owners.ts';
import { planRollback } from '../deploy/plan-rollback.ts';
import { errorMessage } from '../platform/errors.ts';
import type { LiveState } from '../store/live-store.ts';
import { nameVersions } from '../store/versions.ts';
import { createCandidate, type CommandContext, type Run } from './command-context.ts';
import type { CallOf } from './commands.ts';
import { createPreDeployCheck } from './pre-deploy-check.ts';
import { printProgress, printProgressWhenSlow, versionsAsJson } from './print.ts';

/** Why a change is made, and what it overrides. */
type ChangeOptions = Partial<Pick<CallOf<'promote'>, 'why' | 'force' | 'inFreeze' | 'looksChanged'>>;

export const promote: Run<'promote'> = async (call, context) => {
  const { versions } = call;
  const { releaseId } = await change(call, context, { kind: 'promote', versions });
  return {
    json: { releaseId, ...versionsAsJson(versions) },
    lines: `${nameVersions(versions)} is live in release ${releaseId}`,
  };
};

export const canary: Run<'canary'> = async (call, context) => {
  const { versions, percent } = call;
  const { releaseId } = await change(call, context, { kind: 'canary', versions, percent });
  return {
    json: { releaseId, ...versionsAsJson(versions), percent },
    lines: `${nameVersions(versions)} is a canary for ${percent} % of visitors in release ${releaseId}`,
  };
};

export const rollback: Run<'rollback'> = async (call, context) => {
  const before = await context.store.liveStore.require();
  const wanted = await planRollback(context.store, before, call.part, call.version);
  const parts = partsOf(wanted);
  const { ownersFile, releaser } = context.config;
  // The call need not name all of them.
  assertAllowed(readOwners(ownersFile), releaser, { right: 'release', parts });
  const release = await change(call, context, wanted);
  const { releaseId } = release;
  const versions = Object.fromEntries(parts.map((part) => [part, liveVersionOf(part, release)]));
  await inspectAfterwards(context, parts, before);
  return {
    json: { releaseId, ...versionsAsJson(versions) },
    lines: `${nameVersions(versions)} is live for everybody in release ${releaseId}`,
  };
};

/**
 * Opens the page that is live after a rollback of parts, and prints which promises it breaks, without those of other parts that were
 * broken before. An error here must not hide that the rollback took effect.
 */
async function inspectAfterwards(
  context: CommandContext,
  parts: readonly PartName[],
  before: LiveState,
): Promise<void> {
  const findViolations = async () => {
    const { release: next, siteConfig } = await context.store.liveStore.require();
    const remotes = remoteNames.flatMap((part) => {
      const version = liveVersionOf(part, next);
      const isConcerned = parts.includes(part) || parts.includes('shell');
      return version !== undefined && isConcerned ? [{ part, version }] : [];
    });
    const candidate = createCandidate(context, next, before, siteConfig);
    const { checkPages } = await import('../check/check-pages.ts');
    const { violations, undecided } = await checkPages(candidate, remotes, { reuse: 'any' });
    return [...violations.map(({ text }) => text), ...undecided];
  };
  const broken = await printProgressWhenSlow('opening the page that is live now', findViolations).catch(
    (error: unknown) => [`The page that is live now could not be judged: ${errorMessage(error)}`],
  );
  broken.forEach(printProgress);
}

/** Changes the page. Checks versions that visitors will get, except in a rollback, which must be fast. */
async function change(options: ChangeOptions, context: CommandContext, wanted: Change) {
  const { config, store } = context;
  const attribution = { who: config.releaser, why: options.why };
  const decided = { ...wanted, inFreeze: options.inFreeze };
  const check = wanted.kind === 'rollback' ? undefined : createPreDeployCheck(context, options);
  const steps = check ? 'checking the new page, and making it live' : 'making the new page live';
  return printProgressWhenSlow(`${steps} in ${store.displayName}`, () =>
    deployRelease(store, decided, config.resolveSiteConfig, attribution, check),
  );
}

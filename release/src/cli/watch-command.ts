import { describeMeasures, describeViews } from '../canary/describe-canary.ts';
import { readLocalReports } from '../canary/local-reports.ts';
import { watchCanary } from '../canary/watch-canary.ts';
import type { WatchOutcome } from '../canary/watch-stage.ts';
import { partsInCanary } from '../deploy/change.ts';
import { assertAllowed, readOwners } from '../deploy/owners.ts';
import { UsageError } from '../platform/release-error.ts';
import { stopSignal } from '../platform/stop-signal.ts';
import { nameVersions } from '../store/versions.ts';
import type { Run } from './command-context.ts';
import { createPreDeployCheck } from './pre-deploy-check.ts';
import { printProgress } from './print.ts';

export const watch: Run<'watch'> = async (call, context) => {
  const { config, store } = context;
  const { part, loss = 100, without = [], promote = false, stages = promote ? [100] : [] } = call;
  // Else those of the site that `npm start` runs on this machine, which has its store in a folder.
  const isLocal = config.store.kind === 'directory';
  const reports = config.reports ?? (isLocal ? readLocalReports(config.dataFolder) : undefined);
  if (!reports) {
    throw new UsageError(
      'watch needs the reports of visitors. Start the site of this store with "npm start", or set REPORTS_URL to the origin of the lead service’s admin API, and REPORTS_TOKEN to a token with the scope "reports".',
    );
  }
  const { release } = await store.liveStore.require();
  const parts = partsInCanary(release, part);
  assertAllowed(readOwners(config.ownersFile), config.releaser, { right: 'release', parts });
  const outcome = await watchCanary(store, config.resolveSiteConfig, {
    part,
    reports,
    minimumViews: call.views,
    loss,
    without,
    timeout: call.minutes * 60_000,
    interval: call.interval * 1_000,
    stages,
    releaser: `${config.releaser} (watch)`,
    stopping: stopSignal(),
    check: createPreDeployCheck(context),
    progress: (line) => printProgress(`canary: ${line}`),
  });
  return {
    json: outcome,
    lines: outcomeMessage(part, outcome),
    hasFailed: !['promoted', 'fine'].includes(outcome.outcome),
  };
};

function outcomeMessage(
  part: string,
  { outcome, version, versions = { [part]: version }, because, why, ...comparison }: WatchOutcome,
): string {
  const name = nameVersions(versions);
  const figures = `${describeMeasures(comparison)}; ${why}`;
  switch (outcome) {
    case 'rolled-back':
      return `${name} was rolled back: ${describeViews(because ?? 'failed', comparison, 'the stable version')}`;
    case 'promoted':
      return `${name} is live for everybody: ${figures}`;
    case 'fine':
      return `${name} is no worse than the stable version: ${figures}`;
    case 'ended':
      return `${name} is not the canary it was: another command has ended or changed it. "history" shows which.`;
    case 'undecided':
      return `${name} stays a canary, without a result: ${figures}`;
  }
}

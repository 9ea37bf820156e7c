import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { createSiteWithCanary, quickWatch } from '../testing/quick-watch.ts';
import { startReportedViews, type ReportedViews } from '../testing/reported-views.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWithUsageError, releaseCommand, runRelease } from '../testing/run-release.ts';
import { sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { watchCanary, type WatchOptions } from './watch-canary.ts';

const part = 'mf-pricing';

/** Between two reads come 1,000 visitors, of whom the live percentage gets the canary. */
function startReports(
  { store }: TemporaryStore,
  failureRate: (percent: number) => number = () => 0,
): Promise<ReportedViews> {
  return startReportedViews(store, (percent) => ({
    canary: { views: 10 * percent, failed: 10 * percent * failureRate(percent) },
    stable: { views: 1_000 - 10 * percent },
  }));
}

function watch(site: TemporaryStore, { source }: ReportedViews, options: Partial<WatchOptions> = {}) {
  return watchCanary(site.store, () => sampleSite, {
    ...quickWatch,
    reports: source,
    stages: [5, 25, 100],
    ...options,
  });
}

/** What the history has: the action, and the versions after it. */
async function history({ store }: TemporaryStore): Promise<readonly string[]> {
  const entries = await store.history();
  return entries.map(({ action, to }) => `${action}: ${to}`);
}

const live = (percent: number) => `canary: 1.0.0, 1.1.0 for ${percent} %`;

for (const [what, first, expected] of [
  ['from its first stage on', 5, [live(5), live(25), 'promote: 1.1.0']],
  ['from below the first stage on', 1, [live(1), live(5), live(25), 'promote: 1.1.0']],
  ['from between two stages on', 10, [live(10), live(25), 'promote: 1.1.0']],
  ['from above the last stage but one on', 60, [live(60), 'promote: 1.1.0']],
] as const) {
  test(`stages: a sound canary is raised and promoted, ${what}`, async () => {
    await using site = await createSiteWithCanary(first);
    await using reports = await startReports(site);
    const raised: number[] = [];
    const { outcome } = await watch(site, reports, { raised: (percent) => void raised.push(percent) });
    assert.equal(outcome, 'promoted');
    assert.deepEqual((await history(site)).slice(1), expected);
    assert.deepEqual(
      raised,
      [5, 25].filter((stage) => stage > first),
    );
  });
}

test('stages: a canary that fails only with more visitors is rolled back at that stage', async () => {
  await using site = await createSiteWithCanary(5);
  await using reports = await startReports(site, (percent) => (percent === 25 ? 0.2 : 0));
  const { outcome, percent, because } = await watch(site, reports);
  assert.deepEqual([outcome, percent, because], ['rolled-back', 25, 'failed']);
  assert.deepEqual((await history(site)).slice(1), [live(5), live(25), 'rollback: 1.0.0']);
});

test('stages: without enough views of a stage, the canary stays there', async () => {
  await using site = await createSiteWithCanary(5);
  await using reports = await startReportedViews(site.store, (percent) => ({
    canary: { views: percent === 5 ? 100 : 50 },
    stable: { views: percent === 5 ? 1_900 : 150 },
  }));
  const stopping = new AbortController();
  const { outcome, percent } = await watch(site, reports, {
    stopping: stopping.signal,
    minimumViews: 100,
    raised: () => stopping.abort(),
  });
  assert.deepEqual([outcome, percent], ['undecided', 25]);
  assert.deepEqual((await history(site)).slice(1), [live(5), live(25)]);
});

test('stages: a watch that was killed goes on from the stage it had reached', async () => {
  await using site = await createSiteWithCanary(5);
  let isRestarted = false;
  await using reports = await startReportedViews(site.store, (percent) =>
    percent === 25 && !isRestarted ? {} : { canary: { views: 10 * percent }, stable: { views: 900 } },
  );
  const words = ['watch', part, '--stages', '5,25,100', '--views', '50', '--interval', '0.01'];
  const { url, token } = reports.source;
  const environment = { ...site.environment, REPORTS_URL: url, REPORTS_TOKEN: token };
  const killed = spawn(process.execPath, [releaseCommand, ...words], { env: environment });
  for await (const printed of killed.stderr) {
    if (String(printed).includes('raised to 25 %')) killed.kill('SIGKILL');
  }
  assert.deepEqual((await history(site)).slice(1), [live(5), live(25)]);

  isRestarted = true;
  const { code, stdout } = await runRelease(words, environment);
  assert.match(stdout, /^mf-pricing 1\.1\.0 is live for everybody/);
  assert.equal(code, 0);
  assert.deepEqual((await history(site)).slice(1), [live(5), live(25), 'promote: 1.1.0']);
});

for (const stages of ['5,25', '25,5,100', '0,100', '5,5,100', '5,200', 'five,100', '']) {
  test(`stages: "${stages}" is refused`, async () => {
    await using releaser = await createReleaser();
    const words = ['watch', part, '--stages', stages];
    assert.deepEqual(
      await releaser.run(words),
      failsWithUsageError(
        `--stages must be rising percentages that end with 100, such as 5,25,100, but is "${stages}".`,
      ),
    );
  });
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import {
  canaryAt,
  recordedChanges,
  createSiteWithCanary,
  noteAsPassed,
  startReportedViews,
} from '../testing/watched-site.ts';
import { releaseCommand, runRelease } from '../testing/run-release.ts';

const part = 'mf-pricing';

test('stages: a watch that was killed goes on from the stage it had reached', async () => {
  await using site = await createSiteWithCanary(5);
  await noteAsPassed(site, '1.1.0');
  let isRestarted = false;
  await using reports = await startReportedViews(site.store, (percent) =>
    percent === 25 && !isRestarted ? {} : { canary: { views: 10 * percent }, stable: { views: 900 } },
  );
  const words = ['watch', part, '--stages', '5,25,100', '--views', '50', '--interval', '0.01'];
  words.push('--without', 'leads', 'failed');
  const { url, token } = reports.source;
  const environment = { ...site.environment, REPORTS_URL: url, REPORTS_TOKEN: token };
  const killed = spawn(process.execPath, [releaseCommand, ...words], { env: environment });
  for await (const printed of killed.stderr) {
    if (String(printed).includes('raised to 25 %')) killed.kill('SIGKILL');
  }
  assert.deepEqual((await recordedChanges(site)).slice(1), [canaryAt(5), canaryAt(25)]);

  isRestarted = true;
  const { code, stdout } = await runRelease(words, environment);
  assert.match(stdout, /^mf-pricing 1\.1\.0 is live for everybody/);
  assert.equal(code, 0);
  assert.deepEqual((await recordedChanges(site)).slice(1), [canaryAt(5), canaryAt(25), 'promote: 1.1.0']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser, succeedsWith } from '../testing/run-release.ts';

test('canary, rollback, promote: status shows the versions, and the history has releaser and reason', async () => {
  await using releaser = await createReleaser();
  const [part, stable, next] = ['mf-pricing', '2.0.0', '2.1.0'] as const;
  await releaser.publish(
    compatibleShell('1.0.0'),
    ...[stable, next].map((version) => compatibleRemote(part, version)),
  );
  await releaser.deploy({ shell: '1.0.0' });
  await releaser.deploy({ [part]: stable });
  const environment = { RELEASER: 'pricing team', SITE_ORIGIN: 'https://www.example.org' };
  const canary = await releaser.run(['canary', part, next, '--percent', '10'], environment);
  assert.match(canary.stdout, /^mf-pricing 2\.1\.0 is live for 10 % of visitors in release r-\w+\n$/);
  assert.match((await releaser.run(['status'])).stdout, /^mf-pricing +2\.0\.0 +- +2\.1\.0 for 10 %$/m);
  const back = await releaser.run(['rollback', part, '--why', 'prices are wrong', '--json'], environment);
  const { releaseId, ...rest } = JSON.parse(back.stdout);
  assert.match(releaseId, /^r-[0-9a-f]{12}$/);
  assert.deepEqual(rest, { part, version: stable });

  const [head, ...lines] = (await releaser.run(['history', '--most', '1'])).stdout.trimEnd().split('\n');
  assert.match(head ?? '', /^ +when +who +what +part +versions +release +why$/);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /^4 .* pricing team +rollback +mf-pricing +2\.0\.0, 2\.1\.0 for 10 % → 2\.0\.0 +r-\w{12} +prices are wrong$/,
  );
  assert.deepEqual(await releaser.run(['prune']), succeedsWith('0 versions and 0 releases removed'));

  const promoted = await releaser.run(['promote', part, next]);
  const [, live] = /^mf-pricing 2\.1\.0 is live in release (r-[0-9a-f]{12})\n$/.exec(promoted.stdout) ?? [];
  const status = (await releaser.run(['status'])).stdout.split('\n');
  assert.match(status[0] ?? '', new RegExp(`^release ${live}, last change \\S+Z by \\S+$`));
  assert.deepEqual(status.slice(1), [
    'part        live   previous  canary',
    'shell       1.0.0  -         -',
    'mf-pricing  2.1.0  2.0.0     -',
    '',
  ]);
  // A release without settings keeps those of the live page.
  assert.equal((await releaser.store.readLive())?.site.siteOrigin, environment.SITE_ORIGIN);
});

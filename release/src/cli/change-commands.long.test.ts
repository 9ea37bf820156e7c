import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compatibleRemote, compatibleShell, contractOf } from '../testing/compatible-part.ts';
import { withoutBrowser } from '../testing/config.ts';
import { createReleaser, failsWith, succeedsWith } from '../testing/run-release.ts';

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
  assert.match(canary.stdout, /^mf-pricing 2\.1\.0 is a canary for 10 % of visitors in release r-\w+\n$/);
  assert.match((await releaser.run(['status'])).stdout, /^mf-pricing +2\.0\.0 +- +2\.1\.0 for 10 %$/m);
  const back = await releaser.run(['rollback', part, '--why', 'prices are wrong', '--json'], environment);
  const { releaseId, ...rest } = JSON.parse(back.stdout);
  assert.match(releaseId, /^r-[0-9a-f]{12}$/);
  assert.deepEqual(rest, { part, version: stable });

  const [head, ...lines] = (await releaser.run(['history', '--most', '1'])).stdout.trimEnd().split('\n');
  assert.match(head ?? '', /^ +when +who +what +release +why$/);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /^4 .* pricing team +rollback mf-pricing 2\.0\.0, 2\.1\.0 for 10 % → 2\.0\.0 +r-\w{12} +prices are wrong$/,
  );
  assert.deepEqual(await releaser.run(['prune']), succeedsWith('0 versions and 0 releases removed'));

  const promoted = await releaser.run(['promote', part, next]);
  const [, liveId] = /^mf-pricing 2\.1\.0 is live in release (r-[0-9a-f]{12})\n$/.exec(promoted.stdout) ?? [];
  const status = (await releaser.run(['status'])).stdout.split('\n');
  assert.match(status[0] ?? '', new RegExp(`^release ${liveId}, last change \\S+Z by \\S+$`));
  assert.deepEqual(status.slice(1), [
    'part        live   previous  canary',
    'shell       1.0.0  -         -',
    'mf-pricing  2.1.0  2.0.0     -',
    '',
  ]);
  // A release without settings keeps those of the live page.
  assert.equal((await releaser.store.liveStore.read())?.siteConfig.siteOrigin, environment.SITE_ORIGIN);
});

test('promote: two parts with a new contract go live and back only together', async () => {
  await using releaser = await createReleaser();
  for (const [version, type] of [
    ['1.0.0', 'string'],
    ['1.1.0', 'number'],
  ] as const) {
    const contract = contractOf(`{ readonly price: ${type} }`);
    await releaser.publish(
      compatibleShell(version, contract),
      compatibleRemote('mf-pricing', version, contract),
    );
  }
  await releaser.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  for (const part of ['shell', 'mf-pricing']) {
    const { code, stderr } = await releaser.run(['promote', part, '1.1.0']);
    assert.equal(code, 1);
    assert.match(stderr, /were built with incompatible contracts: Type '\w+' is not assignable/);
  }
  const words = ['mf-pricing', '1.1.0', 'shell', '1.1.0'];
  const owners = join(releaser.root, 'owners.json');
  await writeFile(owners, '{ "mf-pricing": ["ann"], "*": ["ben"] }');
  const as = (RELEASER: string) => ({ ...withoutBrowser, RELEASER });
  const refusal =
    "ann may not release shell: its owners are ben. Ask one of them, or to be added to the owners' file.";
  assert.deepEqual(await releaser.run(['promote', ...words], as('ann')), failsWith(refusal));
  await writeFile(owners, '{ "mf-pricing": ["ann"], "*": ["*"] }');
  const freeze = ['freeze', 'shell', '--until', '2999-01-01T00:00Z', '--why', 'a launch'];
  assert.equal((await releaser.run(freeze)).code, 0);
  assert.match((await releaser.run(['promote', ...words], as('ann'))).stderr, /^shell is frozen until 2999/);
  assert.equal((await releaser.run(['unfreeze', 'shell'])).code, 0);

  const checked = await releaser.run(['check', ...words]);
  assert.match(checked.stdout, /^mf-pricing 1\.1\.0 with shell 1\.1\.0 can be promoted$/m);
  const promoted = await releaser.run(['promote', ...words], { RELEASER: 'ann' });
  assert.match(promoted.stdout, /^mf-pricing 1\.1\.0 with shell 1\.1\.0 is live in release r-\w{12}\n$/);
  const refused = await releaser.run(['rollback', 'shell'], as('ben'));
  assert.match(refused.stderr, /^ben may not release mf-pricing/);
  const back = await releaser.run(['rollback', 'shell'], as('ann'));
  assert.match(back.stdout, /^shell 1\.0\.0 with mf-pricing 1\.0\.0 is live for everybody in release r-/);
});

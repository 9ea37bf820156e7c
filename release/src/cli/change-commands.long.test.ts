import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { runRelease, succeedsWith } from '../testing/run-release.ts';

test('promote: status shows the live version and the previous one', async () => {
  await using releaser = await createReleaser(runRelease);
  assert.deepEqual(
    await releaser.publish('shell', compatibleShell('1.0.0')),
    succeedsWith('shell 1.0.0: stored'),
  );
  for (const version of ['2.0.0', '2.1.0']) {
    const folder = await releaser.build(compatibleRemote('mf-pricing', version));
    const publish = () => releaser.run(['publish', 'mf-pricing', folder]);
    assert.deepEqual(await publish(), succeedsWith(`mf-pricing ${version}: stored`));
    assert.deepEqual(await publish(), succeedsWith(`mf-pricing ${version}: unchanged`));
  }
  assert.match(
    (await releaser.run(['promote', 'shell', '1.0.0'])).stdout,
    /^shell 1\.0\.0 is live in release r-[0-9a-f]{12}\n$/,
  );
  await releaser.run(['promote', 'mf-pricing', '2.0.0']);
  const { stdout } = await releaser.run(['promote', 'mf-pricing', '2.1.0']);
  const [releaseId] = /r-[0-9a-f]{12}/.exec(stdout) ?? [];
  const status = await releaser.run(['status']);
  assert.match(status.stdout, new RegExp(`^release ${releaseId}, since \\S+Z by \\S+\n`));
  assert.deepEqual(status.stdout.split('\n').slice(1), [
    'part        live   previous  canary',
    'shell       1.0.0  -         -',
    'mf-pricing  2.1.0  2.0.0     -',
    '',
  ]);
  assert.deepEqual(await readdir(join(releaser.site.directory, '..')), ['site']);
});

test('canary and rollback: the history has releaser and reason', async () => {
  await using releaser = await createReleaser(runRelease);
  await releaser.site.publish(
    compatibleShell('1.0.0'),
    compatibleRemote('mf-pricing', '2.0.0'),
    compatibleRemote('mf-pricing', '2.1.0'),
  );
  await releaser.site.deploy({ shell: '1.0.0' });
  await releaser.site.deploy({ 'mf-pricing': '2.0.0' });
  const environment = { RELEASER: 'pricing team' };
  const canary = await releaser.run(['canary', 'mf-pricing', '2.1.0', '--percent', '10'], environment);
  assert.match(canary.stdout, /^mf-pricing 2\.1\.0 is live for 10 % of visitors in release r-\w+\n$/);
  assert.match((await releaser.run(['status'])).stdout, /^mf-pricing +2\.0\.0 +- +2\.1\.0 for 10 %$/m);
  const back = await releaser.run(
    ['rollback', 'mf-pricing', '--why', 'prices are wrong', '--json'],
    environment,
  );
  const { releaseId, ...rest } = JSON.parse(back.stdout);
  assert.match(releaseId, /^r-[0-9a-f]{12}$/);
  assert.deepEqual(rest, { part: 'mf-pricing', version: '2.0.0' });

  const entries = JSON.parse((await releaser.run(['history', '--json'])).stdout);
  assert.deepEqual(
    entries
      .slice(2)
      .map(({ who, action, from, to, why }: Record<string, unknown>) => ({ who, action, from, to, why })),
    [
      { who: 'pricing team', action: 'canary', from: '2.0.0', to: '2.0.0, 2.1.0 for 10 %', why: undefined },
      {
        who: 'pricing team',
        action: 'rollback',
        from: '2.0.0, 2.1.0 for 10 %',
        to: '2.0.0',
        why: 'prices are wrong',
      },
    ],
  );
  const [head, ...lines] = (await releaser.run(['history', '--most', '1'])).stdout.trimEnd().split('\n');
  assert.match(head ?? '', /^ +when +who +what +part +versions +release +why$/);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /^4 .* pricing team +rollback +mf-pricing +2\.0\.0, 2\.1\.0 for 10 % → 2\.0\.0 +r-\w{12} +prices are wrong$/,
  );
  const verified = await releaser.run(['verify']);
  assert.equal(verified.code, 0);
  assert.match(verified.stdout, /^\d+ files of release r-\w{12}: all as published\n$/);
  assert.deepEqual(await releaser.run(['prune']), succeedsWith('0 versions and 0 releases removed'));
});

test('configuration: a release without settings keeps the live page’s', async () => {
  await using releaser = await createReleaser();
  await releaser.site.publish(compatibleShell('1.0.0'), compatibleShell('1.1.0'));
  await releaser.run(['promote', 'shell', '1.0.0'], { SITE_ORIGIN: 'https://www.example.org' });
  await releaser.run(['promote', 'shell', '1.1.0']);
  const page = await readFile(join(releaser.site.directory, 'current', 'index.html'), 'utf8');
  assert.match(page, /"siteOrigin":"https:\/\/www\.example\.org"/);
  assert.match(page, /"version":"1\.1\.0"/);
});

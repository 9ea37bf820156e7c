import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { minAge } from '../deploy/prune-store.ts';
import { packBuild } from '../release-server/build-tar.ts';
import { builtRemote } from '../testing/built-part.ts';
import { createLiveSite, createTemporaryStore } from '../testing/temporary-store.ts';
import { openContext } from './command-context.ts';
import { readConfig } from './config.ts';
import { prune, publish } from './store-commands.ts';

test('prune: forgets which sets passed once it removes something', async ({ mock }) => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await site.publish(builtRemote('mf-leads', '1.0.0'));
  const { store } = site;
  await store.checkCache.addPassedSet('a set');
  const context = { ...openContext(readConfig({})), store };
  await prune({ name: 'prune' }, context);
  assert.equal(await store.checkCache.hasPassedSet('a set'), true);
  mock.timers.enable({ apis: ['Date'], now: Date.now() + minAge + 60_000 });
  await prune({ name: 'prune', yes: true }, context);
  assert.equal(await store.checkCache.hasPassedSet('a set'), false);
});

test("publish: a sent build never has the commit of the release server's own repository", async () => {
  await using site = await createTemporaryStore();
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  for (const words of [['init'], [...author, 'commit', '--allow-empty', '--message=server']])
    execFileSync('git', [...words, '--quiet'], { cwd: site.root });
  const part = builtRemote('mf-pricing', '1.0.0');
  const tar = join(site.root, 'build.tar');
  await writeFile(tar, packBuild(await site.build(part), Object.keys(part)));
  const context = { ...openContext(readConfig({}), { tar, commit: undefined }), store: site.store };
  await publish({ name: 'publish', part: 'mf-pricing' }, context);
  assert.equal((await site.store.versionRecord('mf-pricing', '1.0.0'))?.commit, undefined);
});

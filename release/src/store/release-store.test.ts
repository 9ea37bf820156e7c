import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReleaseFault } from '../release-fault.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { createTemporaryStore } from '../testing/temporary-store.ts';
import { brokenLink } from './audit-entry.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const record = (hash: string) => ({
  publishedAt: '2026-11-20T10:00:00.000Z',
  publishedBy: 'a test',
  files: { 'shell.js': hash },
});

test('a new store holds no version, nothing is live, and its log is empty', async () => {
  await using site = await createTemporaryStore();
  assert.equal(await site.store.hashesOf('shell', '1.0.0'), undefined);
  assert.equal(await site.store.readLive(), undefined);
  assert.deepEqual(await site.store.history(), []);
});

test('of two that store the same version with other content the second is refused, and the first stays', async () => {
  await using site = await createTemporaryStore();
  const add = (text: string) =>
    site.store.addVersion('shell', '1.0.0', new Map([['shell.js', bytes(text)]]), record(text));
  const outcomes = await Promise.all([add('first'), add('second')]);
  assert.deepEqual(outcomes.toSorted(), ['refused', 'stored']);
  const winner = outcomes[0] === 'stored' ? 'first' : 'second';
  assert.equal(await site.store.readFile('shell', '1.0.0', 'shell.js'), winner);
});

test('a version whose publisher broke off is not there, and is finished by whoever brings the same content', async () => {
  await using site = await createTemporaryStore();
  const add = () =>
    site.store.addVersion('shell', '1.0.0', new Map([['shell.js', bytes('all')]]), record('hash'));
  await add();
  await site.objects.remove(['parts/shell/1.0.0/files.json', 'parts/shell/1.0.0/shell.js']);
  assert.equal(await site.store.hashesOf('shell', '1.0.0'), undefined);
  assert.equal(await add(), 'stored');
  assert.equal(await site.store.readFile('shell', '1.0.0', 'shell.js'), 'all');
});

for (const content of ['{ "schemaVersion": 1', '{}']) {
  test(`a live.json with the content ${content} is refused in one sentence that names it`, async () => {
    await using site = await createTemporaryStore();
    await mkdir(site.directory, { recursive: true });
    await writeFile(join(site.directory, 'live.json'), content);
    await assert.rejects(
      site.store.readLive(),
      (error) =>
        error instanceof ReleaseFault &&
        error.message ===
          `live.json in ${site.directory} is damaged. Put a copy of it back, or release into a new store.`,
    );
  });
}

test('the log tells every change, and an entry that is altered, taken out or put in breaks it', async () => {
  await using site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await site.change({ action: 'canary', part: 'mf-pricing', version: '1.1.0', percent: 10 });
  await site.flip({ 'mf-pricing': '1.1.0' });
  await site.change({ action: 'rollback', part: 'mf-pricing' });

  const history = await site.store.history();
  assert.deepEqual(
    history.map(({ sequence, who, action, part, from, to }) => ({ sequence, who, action, part, from, to })),
    [
      {
        sequence: 1,
        who: 'a test',
        action: 'promote',
        part: undefined,
        from: undefined,
        to: 'shell 1.0.0, mf-pricing 1.0.0',
      },
      {
        sequence: 2,
        who: 'a test',
        action: 'canary',
        part: 'mf-pricing',
        from: '1.0.0',
        to: '1.0.0, 1.1.0 for 10 %',
      },
      {
        sequence: 3,
        who: 'a test',
        action: 'promote',
        part: 'mf-pricing',
        from: '1.0.0, 1.1.0 for 10 %',
        to: '1.1.0',
      },
      { sequence: 4, who: 'a test', action: 'rollback', part: 'mf-pricing', from: '1.1.0', to: '1.0.0' },
    ],
  );
  assert.equal(brokenLink(history), undefined);
  const altered = history.map((entry) => (entry.sequence === 2 ? { ...entry, who: 'nobody' } : entry));
  assert.equal(brokenLink(altered), 2);
  assert.equal(brokenLink(history.filter(({ sequence }) => sequence !== 3)), 3);
});

test('a store from before there was a log is read, and the first change of it begins the log', async () => {
  await using site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  const release = await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const hashes = await site.store.hashesOf('mf-pricing', '1.0.0');
  // As it was: the hashes alone, the release document alone, and no states, log or claims.
  for (const name of ['live.json.states', 'releases', 'pages', 'current']) {
    await rm(join(site.directory, name), { recursive: true });
  }
  await rm(join(site.directory, 'parts', 'mf-pricing', '1.0.0', 'claim'));
  await writeFile(join(site.directory, 'live.json'), JSON.stringify(release));
  await writeFile(join(site.directory, 'parts', 'mf-pricing', '1.0.0', 'files.json'), JSON.stringify(hashes));

  assert.deepEqual((await site.store.readLive())?.release, release);
  const [again] = await site.publish(builtRemote('mf-pricing', '1.0.0'));
  assert.equal(again?.outcome, 'unchanged');
  const next = await site.flip({ 'mf-pricing': '1.1.0' });
  assert.equal(next.remotes['mf-pricing']?.previous?.version, '1.0.0');
  const history = await site.store.history();
  assert.deepEqual(
    history.map(({ who, why, releaseId }) => ({ who, why, releaseId })),
    [
      { who: 'unknown', why: 'released before there was a log', releaseId: release.releaseId },
      { who: 'a test', why: undefined, releaseId: next.releaseId },
    ],
  );
  assert.equal(brokenLink(history), undefined);
});

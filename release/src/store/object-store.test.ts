import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DirectoryStore } from './directory-store.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = async (store: DirectoryStore, key: string) => {
  const found = await store.read(key);
  return found && new TextDecoder().decode(found.bytes);
};

describe('a directory as a store', () => {
  let store: DirectoryStore;
  beforeEach(async () => void (store = new DirectoryStore(await mkdtemp(join(tmpdir(), 'objects-')))));
  afterEach(() => rm(store.where, { recursive: true }));

  test('creates an object once, whoever tries', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => store.create('a/b.txt', bytes(String(index)))),
    );
    const winner = outcomes.indexOf('created');
    assert.deepEqual(
      outcomes.filter((outcome) => outcome === 'created'),
      ['created'],
    );
    assert.equal(await read(store, 'a/b.txt'), String(winner));
  });

  test('replaces an object only for who has seen its last state', async () => {
    assert.equal(await store.replace('live.json', bytes('1'), undefined), 'replaced');
    const first = await store.read('live.json');
    assert.equal(await store.replace('live.json', bytes('other'), undefined), 'changed');
    assert.equal(await store.replace('live.json', bytes('2'), first?.tag), 'replaced');
    assert.equal(await store.replace('live.json', bytes('late'), first?.tag), 'changed');
    assert.equal(await read(store, 'live.json'), '2');
  });

  test('lets nobody who slept through many states replace the last one', async () => {
    await store.replace('live.json', bytes('0'), undefined);
    const slept = await store.read('live.json');
    for (let state = 1; state <= 30; state += 1) {
      const last = await store.read('live.json');
      assert.equal(await store.replace('live.json', bytes(String(state)), last?.tag), 'replaced');
    }
    assert.equal(await store.replace('live.json', bytes('late'), slept?.tag), 'changed');
    assert.equal(await read(store, 'live.json'), '30');
  });

  test('loses no step of twenty who count up together', async () => {
    const countUp = async () => {
      for (;;) {
        const last = await store.read('count');
        const next = Number(last ? new TextDecoder().decode(last.bytes) : '0') + 1;
        if ((await store.replace('count', bytes(String(next)), last?.tag)) === 'replaced') return;
      }
    };
    await Promise.all(Array.from({ length: 20 }, countUp));
    assert.equal(await read(store, 'count'), '20');
  });

  test('lists what begins with a prefix and forgets what is removed', async () => {
    for (const key of ['parts/x/1/a', 'parts/x/1/b', 'parts/x/10/a', 'log/1'])
      await store.create(key, bytes(''));
    assert.deepEqual(await store.list('parts/x/1/'), ['parts/x/1/a', 'parts/x/1/b']);
    await store.remove(['parts/x/1/a', 'parts/x/1/missing']);
    assert.deepEqual(await store.list('parts/'), ['parts/x/1/b', 'parts/x/10/a']);
    assert.deepEqual(await store.list('nothing/'), []);
  });

  test('serves one folder or the other at the root', async () => {
    for (const folder of ['one', 'two']) await store.create(`pages/${folder}/index.html`, bytes(folder));
    await store.serveAtRoot('pages/one/', async () => true);
    await store.serveAtRoot('pages/two/', async () => true);
    assert.equal(await readFile(join(store.rootDirectory, 'index.html'), 'utf8'), 'two');
  });
});

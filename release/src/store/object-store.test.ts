import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { startObjectServer, type ObjectServer } from '../testing/object-server.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = async (store: ObjectStore, key: string) => {
  const found = await store.read(key);
  return found && new TextDecoder().decode(found.bytes);
};

describe('a directory as a store', () => {
  let directory: string;
  before(async () => void (directory = await mkdtemp(join(tmpdir(), 'objects-'))));
  after(() => rm(directory, { recursive: true }));
  testStoreContract(async () => new DirectoryStore(await mkdtemp(join(directory, 'store-'))));

  test('serves one folder at the root, without files of another', async () => {
    const store = new DirectoryStore(await mkdtemp(join(directory, 'store-')));
    for (const folder of ['one', 'two']) await store.create(`pages/${folder}/index.html`, bytes(folder));
    await store.create('pages/one/robots.txt', bytes('old'));
    await store.linkCurrent('pages/one/');
    assert.equal(await read(store, 'current/robots.txt'), 'old');
    await store.linkCurrent('pages/two/');
    assert.equal(await read(store, 'current/index.html'), 'two');
    assert.equal(await read(store, 'current/robots.txt'), undefined);
  });
});

describe('a bucket as a store', () => {
  let server: ObjectServer;
  beforeEach(async () => void (server = await startObjectServer()));
  afterEach(() => server[Symbol.asyncDispose]());
  testStoreContract(async () => server.objects);
});

/** Contract tests for all stores. */
function testStoreContract(open: () => Promise<ObjectStore>): void {
  let store: ObjectStore;
  beforeEach(async () => void (store = await open()));

  test('creates an object only once', async () => {
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

  test('overwrites an object, whatever is there', async () => {
    for (const text of ['1', '2', '2']) {
      await store.overwrite('checks/live/wide.json', bytes(text));
      assert.equal(await read(store, 'checks/live/wide.json'), text);
    }
    assert.deepEqual(await store.list(''), ['checks/live/wide.json']);
    await Promise.all(['3', '4'].map((text) => store.overwrite('checks/live/wide.json', bytes(text))));
    assert.match((await read(store, 'checks/live/wide.json')) ?? '', /^[34]$/);
  });

  test('replaces an object only with its current tag', async () => {
    assert.equal(await store.replace('live.json', bytes('1'), undefined), 'replaced');
    const first = await store.read('live.json');
    assert.equal(await store.replace('live.json', bytes('other'), undefined), 'changed');
    assert.equal(await store.replace('live.json', bytes('2'), first?.tag), 'replaced');
    for (let state = 3; state <= 30; state += 1) {
      assert.equal(await store.replace('live.json', bytes('late'), first?.tag), 'changed');
      const last = await store.read('live.json');
      assert.equal(await store.replace('live.json', bytes(String(state)), last?.tag), 'replaced');
    }
    assert.equal(await read(store, 'live.json'), '30');
  });

  test('reads an object only if it has another tag', async () => {
    assert.equal(await store.readIfChanged('live.json', '1'), undefined);
    await store.replace('live.json', bytes('1'), undefined);
    const { tag = '' } = (await store.read('live.json')) ?? {};
    assert.equal(await store.readIfChanged('live.json', tag), 'unchanged');
    await store.replace('live.json', bytes('2'), tag);
    const changed = await store.readIfChanged('live.json', tag);
    assert(changed && changed !== 'unchanged');
    assert.equal(new TextDecoder().decode(changed.bytes), '2');
  });

  test('loses no update of twenty concurrent writers', async () => {
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

  test('lists all keys with a prefix, without removed ones', async () => {
    const many = Array.from({ length: 10 }, (_, index) => `parts/x/1/${index}`);
    for (const key of [...many, 'parts/x/10/a', 'history/1']) await store.create(key, bytes(''));
    assert.deepEqual(await store.list('parts/x/1/'), many);
    await store.remove([...many.slice(1), 'parts/x/1/missing']);
    assert.deepEqual(await store.list('parts/'), ['parts/x/1/0', 'parts/x/10/a']);
    assert.deepEqual(await store.list('nothing/'), []);
  });

  test('reads an immutable object, whatever lies beside it', async () => {
    await store.create('parts/x/1/lazy.css', bytes('checked'));
    await store.create('parts/x/1/lazy.css.states/0000000001', bytes('another'));
    assert.equal(await read(store, 'parts/x/1/lazy.css'), 'checked');
  });
}

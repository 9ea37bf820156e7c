import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, test, type TestContext } from 'node:test';
import { freeze } from '../deploy/freeze.ts';
import { removeVersion } from '../deploy/remove-version.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { forward } from '../testing/object-server.ts';
import { openServer, startStubService, type OpenServer } from '../testing/stub-service.ts';
import { createTemporaryBucket, type TemporaryBucket } from '../testing/temporary-store.ts';
import { BucketMirror } from './bucket-mirror.ts';
import { createSiteServer } from './site-server.ts';

const asBrowser = { headers: { accept: 'text/html' } };

let bucket: TemporaryBucket;
/** The way from the mirrors to the bucket. */
let front: OpenServer;
let isAvailable: boolean;
let requests: number;
/** Status of the last answer about `live.json`. */
let liveStatus: number | undefined;
/** The event for which the answers of the bucket wait. */
let answering: Promise<unknown>;
beforeEach(async () => {
  [isAvailable, requests, answering] = [true, 0, Promise.resolve()];
  bucket = await createTemporaryBucket();
  front = await startStubService(async (request, response) => {
    requests += 1;
    if (!isAvailable) return void request.socket.destroy();
    await answering;
    const answer = await forward(request, bucket.origin);
    if (request.method === 'GET' && request.url?.includes('/live.json')) liveStatus = answer.statusCode;
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(await buffer(answer));
  });
  await bucket.publish(
    builtShell('1.0.0', { 'public/robots.txt': 'User-agent: *' }),
    builtRemote('mf-pricing', '1.0.0'),
  );
  await bucket.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
});
afterEach(async () => {
  await front[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
});

/** A site server with a mirror of the bucket, in a new folder or one that an earlier server has left. */
async function startMirror(folder?: string) {
  const mirrored = folder ?? (await mkdtemp(join(bucket.root, 'mirror-')));
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const mirror = new BucketMirror(new ReleaseStore(bucket.through(front)), mirrored, warn);
  await mirror.start();
  const stopping = new AbortController();
  const following = mirror.follow(stopping.signal);
  const server = await openServer(createSiteServer(mirror, 'http://127.0.0.1:9', () => {}));
  return {
    folder: mirrored,
    warnings,
    request: server.request,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await server[Symbol.asyncDispose]();
      await following;
    },
  };
}

/** For what a mirror does on its own, in milliseconds. */
const patience = { interval: 20, timeout: 30_000 };

/** Waits until a page shows a version of mf-pricing. */
async function untilShown(
  { request }: Awaited<ReturnType<typeof startMirror>>,
  version: string,
  { waitFor }: TestContext,
) {
  await waitFor(
    async () => assert.match((await request('/')).body.toString(), new RegExp(`mf-pricing/${version}`)),
    patience,
  );
}

test('mirror: pages, public files and files of versions are served like those of a folder', async () => {
  await using site = await startMirror();
  const page = await site.request('/');
  assert.equal(page.status, 200);
  assert.match(page.body.toString(), /mf-pricing\/1\.0\.0/);
  const script = await site.request('/mf-pricing/1.0.0/exposed.js', { headers: { 'accept-encoding': 'br' } });
  assert.equal(script.headers['content-encoding'], 'br');
  assert.equal((await site.request('/robots.txt')).body.toString(), 'User-agent: *');
  assert.equal((await site.request('/nowhere', asBrowser)).status, 404);
});

test('mirror: a release shows without a restart, with the same tag on all servers', async (t) => {
  await using first = await startMirror();
  await using second = await startMirror();
  await bucket.release({ 'mf-pricing': '1.1.0' });
  await Promise.all([first, second].map((site) => untilShown(site, '1.1.0', t)));
  // The bucket sends the live state only when it has changed.
  await t.waitFor(() => assert.equal(liveStatus, 304), patience);
  const tags = () => Promise.all([first, second].map(async (site) => (await site.request('/')).headers.etag));
  const [tag] = await tags();
  assert(tag);
  assert.deepEqual(await tags(), [tag, tag]);
  await freeze(bucket.store, undefined, '2999-01-01T00:00Z', { who: 'a test' });
  liveStatus = undefined;
  await t.waitFor(() => assert.equal(liveStatus, 304), patience);
  assert.deepEqual(await tags(), [tag, tag]);
});

test('mirror: earlier releases and versions are fetched when they are asked for', async () => {
  const before = (await bucket.store.liveStore.read())?.release.releaseId ?? '';
  await bucket.release({ 'mf-pricing': '1.1.0' });
  await bucket.release({ 'mf-pricing': '1.2.0' });
  await bucket.change({ kind: 'rollback', versions: { 'mf-pricing': '1.1.0' } });
  await using site = await startMirror();
  assert.match((await site.request(`/?release=${before}`)).body.toString(), /mf-pricing\/1\.0\.0/);
  assert.equal((await site.request('/mf-pricing/1.0.0/exposed.js')).status, 200);
  assert.equal((await site.request('/mf-pricing/1.0.0/deltas/')).status, 404);

  const asked = requests;
  for (let number = 0; number < 20; number += 1) {
    assert.equal((await site.request(`/mf-pricing/9.0.${number}/exposed.js`)).status, 404);
    assert.equal((await site.request(`/mf-pricing/1.0.0/nowhere-${number}.js`)).status, 404);
  }
  assert(requests - asked < 20, `${requests - asked} requests for files that are nowhere`);
});

test('mirror: while the bucket is unavailable, the site stays, also after a restart', async (t) => {
  let folder: string;
  {
    await using site = await startMirror();
    ({ folder } = site);
    isAvailable = false;
    const warning = /^the release that is here stays shown: A request to s3:/;
    await t.waitFor(() => assert.match(site.warnings[0] ?? '', warning), patience);
    assert.equal((await site.request('/')).status, 200);
  }
  await using site = await startMirror(folder);
  assert.equal((await site.request('/')).status, 200);
  assert.equal((await site.request('/mf-pricing/1.0.0/exposed.js')).status, 200);
  await bucket.release({ 'mf-pricing': '1.1.0' });
  isAvailable = true;
  await untilShown(site, '1.1.0', t);
});

test('mirror: a bucket that does not answer does not keep a server from starting again', async (t) => {
  const { folder, [Symbol.asyncDispose]: stop } = await startMirror();
  await stop();
  await bucket.release({ 'mf-pricing': '1.1.0' });
  const answered = Promise.withResolvers<undefined>();
  answering = answered.promise;
  await using site = await startMirror(folder);
  assert.match((await site.request('/')).body.toString(), /mf-pricing\/1\.0\.0/);
  answered.resolve(undefined);
  await untilShown(site, '1.1.0', t);
});

test('mirror: without a bucket and without an earlier run, the server does not start', async () => {
  isAvailable = false;
  await assert.rejects(
    startMirror(),
    /^ReleaseError: A request to s3:\S+ failed \(.*\w.*\)\. Check STORE_URL, /,
  );
});

test('mirror: a removed version is gone', async (t) => {
  await using site = await startMirror();
  await bucket.release({ 'mf-pricing': '1.1.0' });
  await untilShown(site, '1.1.0', t);
  assert.equal((await site.request('/mf-pricing/1.0.0/exposed.js')).status, 200);
  await bucket.release({ 'mf-pricing': '1.2.0' });
  await removeVersion(bucket.store, { part: 'mf-pricing', version: '1.0.0' }, { who: 'a test' });
  await t.waitFor(
    async () => assert.equal((await site.request('/mf-pricing/1.0.0/exposed.js')).status, 404),
    patience,
  );
});

test('mirror: a release whose landing page is missing in the bucket is not shown', async () => {
  const { release } = await bucket.store.liveStore.require();
  await bucket.objects.remove([`pages/${release.releaseId}/index.html`]);
  await assert.rejects(startMirror(), /index\.html could not be read from s3:\S+ Run "status --verify"\.$/);
});

test('mirror: a lost file or record of a part does not stop the release of another', async (t) => {
  await bucket.release({ 'mf-leads': '0.9.0' });
  await bucket.release({ 'mf-leads': '1.0.0' });
  await bucket.objects.remove(['parts/mf-leads/1.0.0/exposed.js']);
  for (const ending of ['.br', '.gz'])
    await bucket.objects.overwrite(`parts/mf-leads/1.0.0/exposed.js${ending}`, Buffer.from('damaged'));
  await bucket.objects.overwrite('versions/mf-leads/0.9.0.json', Buffer.from('damaged'));
  await using site = await startMirror();
  await bucket.release({ 'mf-pricing': '1.1.0' });
  await untilShown(site, '1.1.0', t);
  const compressed = { headers: { 'accept-encoding': 'br, gzip' } };
  assert.equal((await site.request('/mf-leads/1.0.0/exposed.js', compressed)).status, 404);
  const [file = '', record = ''] = site.warnings;
  assert.match(file, /^parts\/mf-leads\/1\.0\.0\/exposed\.js could not be read from s3:/);
  assert.match(record, /^versions\/mf-leads\/0\.9\.0\.json could not be read from s3:/);
});

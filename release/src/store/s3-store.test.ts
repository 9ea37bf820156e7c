import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { builtRemote } from '../testing/built-part.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { startStubService } from '../testing/stub-service.ts';
import { forward, startObjectServer } from '../testing/object-server.ts';
import { runRelease } from '../testing/run-release.ts';
import { createTemporaryBucket, withObjects } from '../testing/temporary-store.ts';
import { UncertainWrite } from './object-store.ts';

/** Status of an answer to the test of conditional writes, from a server that heeds conditions; `undefined` for other requests. */
function testStatus({ url, headers }: IncomingMessage): number | undefined {
  if (!url?.includes('/probes/')) return undefined;
  return headers['if-match'] === undefined && headers['if-none-match'] === undefined ? 200 : 412;
}

/** First byte of a TLS connection. */
const tlsHandshake = 22;

const bytes = (text: string) => new TextEncoder().encode(text);

test('bucket: a replacement of a removed object is refused', async () => {
  await using bucket = await startObjectServer();
  const { objects } = bucket;
  await objects.replace('live.json', bytes('1'), undefined);
  const first = await objects.read('live.json');
  await objects.remove(['live.json']);
  assert.equal(await objects.replace('live.json', bytes('late'), first?.tag), 'changed');
  assert.deepEqual(await objects.list(''), []);
});

test('bucket: a version is published and released once, even if each response is lost', async () => {
  await using bucket = await createTemporaryBucket();
  await bucket.release({ shell: '1.0.0' });
  let lost = 0;
  await using front = await startStubService(async (request, response) => {
    const answer = await forward(request, bucket.origin);
    const body = await buffer(answer);
    // The first write of each object succeeds, but its response is lost.
    if (request.method === 'PUT' && answer.statusCode === 200 && testStatus(request) === undefined) {
      lost += 1;
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
  });
  // The client repeats a write, and is refused because of its own one.
  const behind = withObjects(bucket, bucket.through(front, 3));
  const [published] = await behind.publish(builtRemote('mf-pricing', '1.0.0'));
  assert.equal(published?.outcome, 'stored');
  await behind.deploy({ 'mf-pricing': '1.0.0' });
  assert.deepEqual(
    (await bucket.history()).map(({ action }) => action),
    ['promote', 'promote'],
  );
  assert(lost > 3);
  assert.deepEqual(await bucket.verify(), []);
});

test('bucket: a server that ignores conditions gets no change', async () => {
  await using bucket = await startObjectServer();
  const { objects } = bucket;
  await using front = await startStubService(async (request, response) => {
    delete request.headers['if-match'];
    delete request.headers['if-none-match'];
    const answer = await forward(request, bucket.origin);
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(await buffer(answer));
  });
  await assert.rejects(bucket.through(front).create('claim', bytes('1')), /ignores the conditions/);
  assert.deepEqual(await objects.list(''), []);
});

test('bucket: a test of conditions that fails once is repeated by the next write', async () => {
  await using bucket = await startObjectServer();
  let failures = 1;
  await using front = await startStubService(async (request, response) => {
    if (request.method === 'PUT' && (failures -= 1) >= 0) return void response.writeHead(503).end();
    const answer = await forward(request, bucket.origin);
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(await buffer(answer));
  });
  const objects = bucket.through(front);
  await assert.rejects(objects.replace('live.json', bytes('1'), undefined), ReleaseError);
  assert.equal(await objects.replace('live.json', bytes('1'), undefined), 'replaced');
});

test('bucket: an empty object that consoles show as a folder is not listed', async () => {
  await using bucket = await startObjectServer();
  const { objects } = bucket;
  for (const key of ['pages/r-1/', 'pages/r-1/index.html']) await objects.overwrite(key, bytes(''));
  assert.deepEqual(await objects.list('pages/'), ['pages/r-1/index.html']);
});

test('bucket: an HTML page with 404 is no answer of an object store', async () => {
  await using bucket = await startObjectServer();
  await using front = await startStubService((_, response) =>
    response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!doctype html>'),
  );
  await assert.rejects(bucket.through(front).read('live.json'), /S3_ENDPOINT/);
});

test('bucket: a write whose outcome cannot be read is uncertain, not failed', async () => {
  await using bucket = await startObjectServer();
  await using front = await startStubService((request, response) =>
    response.writeHead(testStatus(request) ?? 503).end(),
  );
  await assert.rejects(bucket.through(front).replace('live.json', bytes('1'), undefined), UncertainWrite);
});

test('bucket: a refusal after a lost response leaves the write uncertain', async () => {
  await using bucket = await startObjectServer();
  const puts = [500, 403];
  await using front = await startStubService((request, response) => {
    const status = testStatus(request);
    response.writeHead(status ?? (request.method === 'PUT' ? (puts.shift() ?? 403) : 404)).end();
  });
  await assert.rejects(bucket.through(front).create('live.json', bytes('1')), UncertainWrite);
});

test("bucket: the environment's proxy reaches a host only it knows, unless NO_PROXY names it", async () => {
  await using bucket = await startObjectServer();
  const passed: string[] = [];
  await using proxy = await startStubService(async (request, response) => {
    passed.push(new URL(request.url ?? '').host);
    const answer = await forward(request, bucket.origin);
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(await buffer(answer));
  });
  proxy.server.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', ([first]) => {
      passed.push(`${url} ${first === tlsHandshake ? 'TLS' : 'plain'}`);
      socket.destroy();
    });
  });
  const history = (endpoint: string, variables: NodeJS.ProcessEnv = {}) =>
    runRelease(['history', '--json'], {
      ...bucket.environment,
      ...{ S3_ENDPOINT: endpoint, AWS_MAX_ATTEMPTS: '1', NODE_USE_ENV_PROXY: '1' },
      ...{ HTTP_PROXY: proxy.origin, HTTPS_PROXY: proxy.origin, ...variables },
    });
  assert.equal((await history('http://store.invalid')).code, 0);
  assert.equal((await history('https://store.invalid')).code, 1, 'the tunnel ends in the proxy');
  assert.deepEqual(new Set(passed), new Set(['store.invalid', 'store.invalid:443 TLS']));
  passed.length = 0;
  assert.equal((await history('http://store.invalid', { NO_PROXY: 'store.invalid' })).code, 1);
  assert.equal((await history(bucket.origin, { NO_PROXY: '127.0.0.1' })).code, 0);
  assert.deepEqual(passed, []);
});

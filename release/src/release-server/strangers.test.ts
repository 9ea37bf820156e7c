import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { dial, openServer, received } from '../testing/stub-service.ts';
import { createTemporaryStore } from '../testing/temporary-store.ts';
import { createReleaseServer } from './create-release-server.ts';
import { openReceivedBuilds } from './received-builds.ts';
import { createRunningCalls } from './running-calls.ts';

/** The answer of a release server that knows no token. Resolves only when the server has closed the connection. */
async function answerTo(sent: string, headersTimeout?: number): Promise<string> {
  await using site = await createTemporaryStore();
  const calls = createRunningCalls('none', openReceivedBuilds(join(site.root, 'calls')));
  const unexpected = () => assert.fail();
  const accepting = { accept: unexpected, warn: unexpected };
  const services = { identify: async () => undefined, calls, answerWithBoard: unexpected, ...accepting };
  await using server = await openServer(createReleaseServer(services, headersTimeout));
  return await received(dial(server.port, sent));
}

const id = '0'.repeat(36);
const head = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`;

test('strangers: the body of a request without a token is not awaited', { timeout: 5_000 }, async () => {
  assert.match(await answerTo(head('POST', `/calls/${id}/${id}`)), /^HTTP\/1\.1 401 /);
  assert.match(await answerTo(head('POST', '/health')), /^HTTP\/1\.1 200 /);
});

test('strangers: a silent connection ends with the limit of headers', { timeout: 5_000 }, async () => {
  await answerTo('', 100);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { listen } from '../server/listen.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { createReleaseServer } from './release-server.ts';
import { RunningCalls } from './running-calls.ts';

/** Opens connections to a release server that knows no token. */
async function startServer(t: TestContext, headersTimeout?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'strangers-'));
  t.after(() => rm(folder, { recursive: true }));
  const calls = new RunningCalls('none', join(folder, 'calls'));
  const objects = new DirectoryStore(folder);
  const unexpected = () => assert.fail();
  const services = { identify: async () => undefined, calls, objects, accept: unexpected, warn: unexpected };
  const server = createReleaseServer(services, headersTimeout);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const port = await listen(server, 0, 'RELEASE_PORT');
  /** Resolves to what was received, once the server has closed the connection. */
  return (sent: string) =>
    new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(sent));
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('error', () => undefined).on('close', () => resolve(received));
      t.after(() => socket.destroy());
    });
}

const id = '0'.repeat(36);
const head = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`;

test(
  'strangers: the body of a request without a valid token is not awaited',
  { timeout: 5_000 },
  async (t) => {
    const send = await startServer(t);
    assert.match(await send(head('PUT', `/calls/${id}/${id}`)), /^HTTP\/1\.1 401 /);
    assert.match(await send(head('POST', '/health')), /^HTTP\/1\.1 200 /);
  },
);

test('strangers: a silent connection ends with the limit of headers', { timeout: 5_000 }, async (t) => {
  const send = await startServer(t, 100);
  await send('');
});

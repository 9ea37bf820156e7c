import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dial, received } from '../testing/stub-service.ts';
import { serveSite } from '../testing/served-site.ts';

const site = await serveSite(undefined, {
  headersTimeout: 100,
  requestTimeout: 300,
  keepAliveTimeout: 100,
  idleTimeout: 1_000,
  connectionsCheckingInterval: 20,
});
after(async () => {
  await site[Symbol.asyncDispose]();
  // Clients that leave are no errors of the site.
  assert.deepEqual(site.warnings, []);
});

const large = '/mf-pricing/1.0.0/large.js';
const largeSize = 30_000_000;
await writeFile(join(site.objects.pathOf('parts'), large), Buffer.alloc(largeSize));
const openFiles = '/proc/self/fd';

test('site server: slowly sent headers get 408', async () => {
  const socket = dial(site.port, 'GET / HTTP/1.1\r\nHost: localhost\r\n');
  const slowly = setInterval(() => socket.write('X-More: a\r\n'), 20);
  socket.on('close', () => clearInterval(slowly));
  assert.match(await received(socket), /^HTTP\/1\.1 408 /);
});

test('site server: a slowly sent body is cut off', async () => {
  const socket = dial(
    site.port,
    'POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n',
  );
  const slowly = setInterval(() => socket.write('m'), 20);
  socket.on('close', () => clearInterval(slowly));
  assert.match(await received(socket), /^HTTP\/1\.1 4/);
});

test('site server: a client that does not read the response is cut off', async () => {
  const accepted = once(site.server, 'connection') as Promise<[Socket]>;
  const socket = dial(site.port, `GET ${large} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [connection] = await accepted;
  await once(connection, 'close');
  const { length } = await received(socket);
  assert(length < largeSize, `${length} bytes were sent to a client that did not read`);
});

test(
  'site server: a file is closed when its client disconnects',
  { skip: !existsSync(openFiles) },
  async ({ waitFor }) => {
    for (let visit = 0; visit < 10; visit += 1) {
      const socket = dial(site.port, `GET ${large} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(socket, 'readable');
      socket.resetAndDestroy();
    }
    await waitFor(() => assert.equal(openFilesNamed('large.js'), 0), { timeout: 30_000 });
  },
);

/** Open files of this process, from `/proc`. A file may be closed while it is read. */
function openFilesNamed(name: string): number {
  return readdirSync(openFiles).filter((descriptor) => {
    try {
      return readlinkSync(join(openFiles, descriptor)).endsWith(name);
    } catch {
      return false;
    }
  }).length;
}

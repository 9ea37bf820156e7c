import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { listen } from './listen.ts';
import { createLiveSite, type TemporaryStore } from '../testing/temporary-store.ts';
import { createSiteServer } from './site-server.ts';

const timeouts = {
  headersTimeout: 100,
  requestTimeout: 300,
  keepAliveTimeout: 100,
  idleTimeout: 1_000,
  connectionsCheckingInterval: 20,
};
const large = '/mf-pricing/1.0.0/large.js';
const largeSize = 30_000_000;
const openFiles = '/proc/self/fd';

describe('local server', () => {
  let store: TemporaryStore;
  let server: Server;
  let port: number;
  before(async () => {
    store = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
    await writeFile(join(store.objects.pathOf('parts'), large), Buffer.alloc(largeSize));
    server = createSiteServer(store.objects, 'http://127.0.0.1:9', timeouts);
    port = await listen(server, 0, 'PORT');
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await store[Symbol.asyncDispose]();
  });

  function dial(sent: string): Socket {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(sent);
    return socket;
  }

  /** A server that closes while bytes still arrive resets the connection; what was received before counts. */
  async function received(socket: Socket): Promise<string> {
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    await new Promise((resolve) => socket.on('close', resolve));
    return answer;
  }

  test('slowly sent headers get 408', async () => {
    const socket = dial('GET / HTTP/1.1\r\nHost: localhost\r\n');
    const slowly = setInterval(() => socket.write('X-More: a\r\n'), 20);
    socket.on('close', () => clearInterval(slowly));
    assert.match(await received(socket), /^HTTP\/1\.1 408 /);
  });

  test('a slowly sent body is cut off', async () => {
    const socket = dial('POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n');
    const slowly = setInterval(() => socket.write('m'), 20);
    socket.on('close', () => clearInterval(slowly));
    assert.match(await received(socket), /^HTTP\/1\.1 4/);
  });

  test('a client that does not read the response is cut off', async () => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = dial(`GET ${large} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [connection] = await accepted;
    await once(connection, 'close');
    let length = 0;
    for await (const chunk of socket) length += (chunk as Buffer).length;
    assert(length < largeSize, `${length} bytes were sent to a client that did not read`);
  });

  test(
    'a file is closed when its client disconnects',
    { skip: !existsSync(openFiles) },
    async ({ signal }) => {
      for (let visit = 0; visit < 10; visit += 1) {
        const socket = dial(`GET ${large} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await once(socket, 'readable');
        socket.resetAndDestroy();
      }
      while (openFilesNamed('large.js') > 0) await setTimeout(20, undefined, { signal });
    },
  );
});

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

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import Koa from 'koa';
import { startServer, type RunningServer } from './server.ts';

const timeouts = {
  headersTimeout: 100,
  requestTimeout: 300,
  keepAliveTimeout: 100,
  connectionsCheckingInterval: 20,
};

describe('server timeouts: a client', () => {
  let server: RunningServer;
  before(async () => {
    const app = new Koa().use(async (ctx) => void (ctx.body = `read ${(await text(ctx.req)).length}`));
    // Aborted requests are expected in these tests, so their errors are not logged.
    app.silent = true;
    server = await startServer(app, { host: '127.0.0.1', port: 0 }, 'LEADS', timeouts);
  });
  after(() => server.stop());

  function dial(sent: string): Socket {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(sent);
    return socket;
  }

  /** A server that closes while bytes still arrive resets the connection; what was received before counts. */
  async function received(socket: Socket): Promise<string> {
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk))).on('error', () => undefined);
    await new Promise((resolve) => socket.on('close', resolve));
    return answer;
  }

  test('that sends nothing is disconnected', async () => {
    const answer = await received(dial(''));
    assert.match(answer, /^(HTTP\/1\.1 408 |$)/);
  });

  for (const [what, head, more] of [
    ['headers', 'POST / HTTP/1.1\r\nHost: localhost\r\n', 'X-More: a\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n', 'm'],
  ] as const) {
    test(`that sends ${what} slowly gets 408 and is disconnected`, async () => {
      const socket = dial(head);
      const slowly = setInterval(() => socket.write(more), 20);
      socket.on('close', () => clearInterval(slowly));
      assert.match(await received(socket), /^HTTP\/1\.1 408 /);
    });
  }

  test('that leaves a keep-alive connection idle is disconnected', async () => {
    const answer = await received(dial('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    assert.match(answer, /^HTTP\/1\.1 200 [^]*read 0$/);
  });

  test('that sends more than 16 kB of headers gets 431', async () => {
    const answer = await received(
      dial(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'m'.repeat(17_000)}\r\n\r\n`),
    );
    assert.match(answer, /^HTTP\/1\.1 431 /);
  });
});

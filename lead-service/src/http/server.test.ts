import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import Koa from 'koa';
import { startServer, type RunningServer } from './server.ts';

const patience = {
  headersTimeout: 100,
  requestTimeout: 300,
  keepAliveTimeout: 100,
  connectionsCheckingInterval: 20,
};

describe('a client that keeps a connection without using it well', () => {
  let server: RunningServer;
  before(async () => {
    const app = new Koa().use(async (ctx) => void (ctx.body = `read ${(await text(ctx.req)).length}`));
    // What is broken off in the middle is what is tested here.
    app.silent = true;
    server = await startServer(app, { host: '127.0.0.1', port: 0 }, patience);
  });
  after(() => server.stop());

  function dial(sent: string): Socket {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(sent);
    return socket;
  }

  test('by sending nothing at all is cut off', async () => {
    const answer = await text(dial(''));
    assert.match(answer, /^(HTTP\/1\.1 408 |$)/);
  });

  test('by sending headers line by line is told 408 and cut off', async () => {
    const socket = dial('POST / HTTP/1.1\r\nHost: localhost\r\n');
    const slowly = setInterval(() => socket.write('X-More: a\r\n'), 20);
    socket.on('error', () => undefined).on('close', () => clearInterval(slowly));
    assert.match(await text(socket), /^HTTP\/1\.1 408 /);
  });

  test('by sending a body byte by byte is told 408 and cut off', async () => {
    const socket = dial('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n');
    const slowly = setInterval(() => socket.write('m'), 20);
    socket.on('error', () => undefined).on('close', () => clearInterval(slowly));
    assert.match(await text(socket), /^HTTP\/1\.1 408 /);
  });

  test('by asking for nothing more after an answer is cut off', async () => {
    const answer = await text(dial('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    assert.match(answer, /^HTTP\/1\.1 200 [^]*read 0$/);
  });

  test('by sending more than 16 kB of headers is told 431', async () => {
    const answer = await text(
      dial(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'m'.repeat(17_000)}\r\n\r\n`),
    );
    assert.match(answer, /^HTTP\/1\.1 431 /);
  });
});

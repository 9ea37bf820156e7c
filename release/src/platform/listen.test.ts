import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listen } from './listen.ts';
import { ReleaseFault } from './release-fault.ts';

test('port 0 takes a free one and says which', async () => {
  const server = createServer((_request, response) => response.end('here'));
  const port = await listen(server, 0, 'PORT');
  const answer = await fetch(`http://127.0.0.1:${port}`);
  assert.equal(await answer.text(), 'here');
  server.close();
});

test('a port in use is named, with the variable to choose another', async () => {
  const first = createServer();
  const port = await listen(first, 0, 'PORT');
  await assert.rejects(listen(createServer(), port, 'LEADS_PORT'), (error) => {
    assert(error instanceof ReleaseFault);
    assert.equal(
      error.message,
      `Port ${port} is in use. Stop what listens there, or choose another with LEADS_PORT=<port>.`,
    );
    return true;
  });
  first.close();
  await once(first, 'close');
});

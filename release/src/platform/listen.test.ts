import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listen } from './listen.ts';
import { ReleaseError } from './release-error.ts';

test('listen: port 0 selects a free port', async () => {
  const server = createServer((_request, response) => response.end('here'));
  const port = await listen(server, 0, 'PORT');
  const answer = await fetch(`http://127.0.0.1:${port}`);
  assert.equal(await answer.text(), 'here');
  server.close();
});

test('listen: a used port is an error that names the variable', async () => {
  const first = createServer();
  const port = await listen(first, 0, 'PORT');
  await assert.rejects(listen(createServer(), port, 'LEADS_PORT'), (error) => {
    assert(error instanceof ReleaseError);
    assert.equal(
      error.message,
      `Port ${port} is in use. Stop the process that listens there, or choose another with LEADS_PORT=<port>.`,
    );
    return true;
  });
  first.close();
  await once(first, 'close');
});

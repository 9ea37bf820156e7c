import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStubService } from '../../testing/stub-service.ts';
import { callServer } from './call-server.ts';

/** Calls a server that answers requests for its health, and all others with a status. */
async function callStub(status: number, body: string, headers: Record<string, string> = {}) {
  await using service = await startStubService((request, response) => {
    const isHealth = request.url === '/health';
    const instance = JSON.stringify({ instance: '5e1f3c76-2f0b-4d51-8a53-0d1a4a0b6c11' });
    response.writeHead(isHealth ? 200 : status, headers).end(isHealth ? instance : body);
  });
  const server = { url: service.origin, token: 'release_x', actions: undefined };
  return await callServer(server, ['status'], undefined, () => undefined);
}

test('client: what only a proxy answers is a refusal, and nothing was changed', async () => {
  const expected = (status: number) => ({
    name: 'Refusal',
    exitCode: 1,
    message: new RegExp(
      `answers with the status ${status}, as no release server does\\. Check RELEASE_URL\\.$`,
    ),
  });
  await assert.rejects(callStub(307, '', { Location: 'https://elsewhere.example/' }), expected(307));
  await assert.rejects(callStub(404, '<h1>Not found</h1>'), expected(404));
});

test('client: a line that is none of a release server ends the call, whose result is lost', async () => {
  const lines = { 'Content-Type': 'application/x-ndjson' };
  for (const body of ['{"later":1}\n', '<h1>Welcome</h1>\n']) {
    await assert.rejects(callStub(200, body, lines), {
      name: 'IncompleteChange',
      message: /does not understand\. Use the same version as the server\. The result of the call is lost\./,
    });
  }
});

test('client: a refused token is reported before anything is sent', async () => {
  await using service = await startStubService((_request, response) => {
    response.writeHead(401).end(JSON.stringify({ message: 'Unknown token.', exitCode: 1 }));
  });
  const server = { url: service.origin, token: 'release_x', actions: undefined };
  await assert.rejects(
    callServer(server, ['status'], undefined, () => undefined),
    { name: 'Refusal', exitCode: 1, message: 'Unknown token.' },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseError } from '../../platform/release-error.ts';
import { startStubService } from '../../testing/stub-service.ts';
import { callServer } from './call-server.ts';

/** Calls a server that answers requests for its health, and all others with a status. */
async function callStub(status: number, body: string, headers: Record<string, string> = {}, protocol = 2) {
  await using service = await startStubService((request, response) => {
    const isHealth = request.url === '/health';
    const instance = JSON.stringify({ instance: '5e1f3c76-2f0b-4d51-8a53-0d1a4a0b6c11', protocol });
    response.writeHead(isHealth ? 200 : status, headers).end(isHealth ? instance : body);
  });
  const server = { url: service.origin, token: 'release_x', actions: undefined };
  return await callServer(
    server,
    { words: ['status'] },
    () => null,
    () => undefined,
  );
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

test('client: an answer that is none of a release server ends the call, whose result is lost', async () => {
  for (const body of ['{"later":1}', '<h1>Welcome</h1>']) {
    // The server takes the call, and then answers with this.
    await assert.rejects(callStub(200, body), {
      name: 'IncompleteChange',
      message: /does not understand\. Use the same version as the server\. The result of the call is lost\./,
    });
  }
});

test('client: a server of another protocol says which of the two to update', async () => {
  await assert.rejects(
    callStub(200, '{}', {}, 1),
    /^ReleaseError: The release server is older .* update it\.$/,
  );
  await assert.rejects(
    callStub(200, '{}', {}, 3),
    /^ReleaseError: This release command is older .* again\.$/,
  );
});

test('client: a refused token is reported before anything is sent', async () => {
  await using service = await startStubService((_request, response) => {
    response.writeHead(401).end(JSON.stringify({ message: 'Unknown token.', exitCode: 1 }));
  });
  const server = { url: service.origin, token: 'release_x', actions: undefined };
  await assert.rejects(
    callServer(
      server,
      { words: ['status'] },
      () => null,
      () => undefined,
    ),
    { name: 'Refusal', exitCode: 1, message: 'Unknown token.' },
  );
});

test('client: a build that is lost while it is sent ends the call, which has not started', async () => {
  await using service = await startStubService((request, response) => {
    if (request.url !== '/health') return void request.resume();
    response.end(JSON.stringify({ instance: '5e1f3c76-2f0b-4d51-8a53-0d1a4a0b6c11', protocol: 2 }));
  });
  const server = { url: service.origin, token: 'release_x', actions: undefined };
  const build = { size: 9, hash: '' };
  const lost = new ReleaseError('The folder has lost a.js.');
  const pack = () => new ReadableStream({ pull: (controller) => controller.error(lost) });
  await assert.rejects(
    callServer(server, { words: ['publish'], build }, pack, () => undefined),
    lost,
  );
});

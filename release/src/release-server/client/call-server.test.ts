import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { ReleaseError } from '../../platform/release-error.ts';
import { startStubService } from '../../testing/stub-service.ts';
import { callServer } from './call-server.ts';

const health = { instance: '5e1f3c76-2f0b-4d51-8a53-0d1a4a0b6c11', protocol: 2 };
const status = { words: ['status'] };

/** Makes a call on a server that answers requests for its health so, and all others by `answer`. */
async function callStub(
  answer: RequestListener,
  { ok = true, ...content }: Record<string, unknown> = health,
  call: Parameters<typeof callServer>[1] = status,
  pack: Parameters<typeof callServer>[2] = () => null,
  mayChange = true,
) {
  await using service = await startStubService((request, response) => {
    if (request.url !== '/health') return answer(request, response);
    response.writeHead(ok ? 200 : 401).end(JSON.stringify(content));
  });
  const server = { url: service.origin, token: 'release_x', actions: undefined };
  return await callServer(server, call, pack, () => undefined, mayChange);
}

const answering =
  (code: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(code, headers).end(body);

test('client: what only a proxy answers is a refusal, and nothing was changed', async () => {
  for (const [code, headers] of [[307, { Location: 'https://elsewhere.example/' }], [404]] as const) {
    const message = `answers with the status ${code}, as no release server does\\. Check RELEASE_URL\\.$`;
    await assert.rejects(callStub(answering(code, '<h1>Moved</h1>', headers)), {
      name: 'Refusal',
      exitCode: 1,
      message: new RegExp(message),
    });
  }
});

test('client: a server that was started again before it had the call asks to repeat the command', async () => {
  const restarted = answering(410, JSON.stringify({ message: 'Started again.', exitCode: 1 }));
  await assert.rejects(callStub(restarted), { message: 'Started again. Repeat the command.' });
});

test('client: a call to which only a proxy has answered an error may have been started', async () => {
  const answers = [
    answering(502, '<h1>Bad Gateway</h1>'),
    answering(410, JSON.stringify({ message: 'Started again.', exitCode: 1 })),
  ];
  const calling = callStub((request, response) => answers.shift()?.(request, response));
  await assert.rejects(calling, {
    name: 'IncompleteChange',
    message: /^Started again\. The result of the call/,
  });
});

test('client: gives up after 15 minutes of refusals, and says why it was refused', async (context) => {
  const start = Date.now();
  context.mock.method(Date, 'now', () => start + 16 * 60_000).mock.mockImplementationOnce(() => start);
  const busy = { message: 'Too many calls.', exitCode: 1 };
  await assert.rejects(callStub(answering(429, JSON.stringify(busy))), { message: busy.message });
});

test('client: an answer of another server ends the call, and the result of a change is lost', async () => {
  for (const body of ['{"later":1}', '<h1>Welcome</h1>']) {
    const reading = callStub(answering(200, body), undefined, undefined, undefined, false);
    await assert.rejects(reading, { name: 'Refusal', message: /Use the same version as the server\.$/ });
    // The server takes the call, and then answers with this.
    await assert.rejects(callStub(answering(200, body)), {
      name: 'IncompleteChange',
      message: /does not understand\. Use the same version as the server\. The result of the call is lost\./,
    });
  }
});

test('client: a server of another protocol says which of the two to update', async () => {
  for (const [protocol, message] of [
    [1, /^ReleaseError: The release server is older .* update it\.$/],
    [3, /^ReleaseError: This release command is older .* again\.$/],
  ] as const)
    await assert.rejects(callStub(answering(200, '{}'), { ...health, protocol }), message);
});

test('client: a refused token is reported before anything is sent', async () => {
  const refusal = { message: 'Unknown token.', exitCode: 1 };
  await assert.rejects(callStub(assert.fail, { ok: false, ...refusal }), { name: 'Refusal', ...refusal });
});

test('client: a build lost while it is sent ends the call, which has not started', async () => {
  const lost = new ReleaseError('The folder has lost a.js.');
  const call = { words: ['publish'], build: { size: 9, hash: '' } };
  const pack = () => new ReadableStream({ pull: (controller) => controller.error(lost) });
  await assert.rejects(
    callStub((request) => void request.resume(), health, call, pack),
    lost,
  );
});

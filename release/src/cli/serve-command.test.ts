import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { sendRequest, startStubService } from '../testing/stub-service.ts';
import {
  createTemporaryBucket,
  createTemporaryStore,
  type TemporaryStore,
} from '../testing/temporary-store.ts';

let site: TemporaryStore;
beforeEach(async () => void (site = await createTemporaryStore()));
afterEach(() => site[Symbol.asyncDispose]());

/** Runs the command in a separate process. */
function spawnServe(environment: NodeJS.ProcessEnv) {
  return spawn(process.execPath, [join(import.meta.dirname, '..', 'cli.ts'), 'serve'], {
    env: { ...site.environment, PORT: '0', BOARD_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('serve: serves the live page, with lead service and board, until a signal', async () => {
  const { releaseId } = await site.release({ shell: '1.0.0' });
  await using service = await startStubService((request, response) => response.end(request.url));
  using serving = spawnServe({ LEADS_PORT: String(service.port) });
  const said: string[] = [];
  let port = 0;
  let boardPort = 0;
  for await (const line of createInterface(serving.stdout)) {
    said.push(line);
    boardPort ||= Number(/board is on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? 0);
    const [, found] = /localhost:(\d+)/.exec(line) ?? [];
    if (!found) continue;
    port = Number(found);
    assert.equal((await sendRequest(port, '/')).status, 200);
    assert.equal((await sendRequest(port, '/api/leads')).body.toString(), '/api/leads');
    assert.equal((await sendRequest(port, '/board/index.html')).status, 404);
    assert.equal((await sendRequest(boardPort, '/')).status, 200);
    serving.kill('SIGTERM');
  }
  if (serving.exitCode === null) await once(serving, 'exit');
  assert.equal(serving.exitCode, 0);
  assert.deepEqual(said, [
    `site: the release board is on http://127.0.0.1:${boardPort}`,
    `site: shows release ${releaseId}`,
    `site: open http://localhost:${port} — Ctrl-C stops it`,
    'site: stopped',
  ]);
});

test('serve: shows the first release, even if it was killed after its commit', async () => {
  await site.release({ shell: '1.0.0' });
  await unlink(join(site.directory, 'current'));
  using serving = spawnServe({ LEADS_PORT: '9' });
  for await (const line of createInterface(serving.stdout)) {
    const [, port] = /localhost:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    assert.equal((await sendRequest(Number(port), '/')).status, 200);
    serving.kill('SIGTERM');
  }
  assert.deepEqual(await site.verify(), []);
});

for (const variable of ['PORT', 'BOARD_PORT']) {
  test(`serve: a busy ${variable} prints one message and ends the process`, async () => {
    await site.release({ shell: '1.0.0' });
    await using other = await startStubService((_request, response) => response.end());
    using serving = spawnServe({ LEADS_PORT: '9', [variable]: String(other.port) });
    const [printed] = await Promise.all([text(serving.stderr), once(serving, 'exit')]);
    assert.equal(serving.exitCode, 1);
    assert.match(printed, new RegExp(`^Port ${other.port} is in use\\. .* ${variable}=<port>\\.\n$`));
  });
}

test('serve: LEADS_PORT=0 is refused, because no running lead service has that port', async () => {
  using serving = spawnServe({ LEADS_PORT: '0' });
  const [printed] = await Promise.all([text(serving.stderr), once(serving, 'exit')]);
  assert.equal(serving.exitCode, 2);
  assert.match(printed, /^LEADS_PORT is 0, .* Set it to the port of the lead service\.\n/);
});

test("serve: waits for a bucket's first release; for other machines, it has no board", async () => {
  await using bucket = await createTemporaryBucket();
  using serving = spawnServe({ ...bucket.environment, LEADS_PORT: '9', SITE_HOST: '0.0.0.0' });
  const said: string[] = [];
  let releaseId = '';
  for await (const line of createInterface(serving.stdout)) {
    said.push(line);
    if (line.includes('Waiting')) ({ releaseId } = await bucket.release({ shell: '1.0.0' }));
    const [, port] = /port (\d+) of 0\.0\.0\.0/.exec(line) ?? [];
    if (port === undefined) continue;
    assert.equal((await sendRequest(Number(port), '/')).status, 200);
    serving.kill('SIGTERM');
  }
  assert.deepEqual(
    said.map((line) => line.replace(/port \d+/, 'port …')),
    [
      'site: Nothing is live yet. Publish and promote the shell first. Waiting for it …',
      `site: shows release ${releaseId}`,
      'site: listening on port … of 0.0.0.0',
      'site: stopped',
    ],
  );
});

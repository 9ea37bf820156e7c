import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import { releaseCommand } from '../testing/run-release.ts';
import { forward } from '../testing/object-server.ts';
import { sendRequest } from '../testing/send-request.ts';
import { startStubService } from '../testing/stub-service.ts';
import { createTemporaryBucket } from '../testing/temporary-store.ts';

/** Starts `serve` in a process of its own, and waits until it has opened its port. */
async function startServe(environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [releaseCommand, 'serve'], {
    env: { PORT: '0', BOARD_PORT: '0', LEADS_PORT: '9', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const output = createInterface(child.stdout);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('serve ended before it opened its port')));
    output.on('line', (line) => {
      lines.push(line);
      const [, found] = /open http:\/\/localhost:(\d+)/.exec(line) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return {
    port,
    lines,
    async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

test('site servers: one is killed under load and the bucket is unavailable, and no view fails', async ({
  signal,
}) => {
  await using bucket = await createTemporaryBucket();
  let isAvailable = true;
  await using front = await startStubService(async (request, response) => {
    if (!isAvailable) return void request.socket.destroy();
    const answer = await forward(request, bucket.location.endpoint);
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(await buffer(answer));
  });
  await bucket.release({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await using servers = new AsyncDisposableStack();
  const start = async (name: string) => {
    const environment = {
      ...bucket.environment,
      S3_ENDPOINT: front.origin,
      DATA_DIR: join(bucket.root, name),
    };
    const server = await startServe(environment);
    servers.defer(() => server.stop());
    return server;
  };
  const [first, second] = await Promise.all([start('first'), start('second')]);
  /** As a balancer does: the first server, or the second one if the first does not answer. */
  const ask = (path: string) => sendRequest(first.port, path).catch(() => sendRequest(second.port, path));

  const failed: string[] = [];
  let views = 0;
  let isLoading = true;
  const view = async (path: string) => {
    const { status, body } = await ask(path).catch((error: unknown) => ({
      status: String(error),
      body: Buffer.alloc(0),
    }));
    if (status !== 200 || body.length === 0) failed.push(`${path}: ${status}`);
  };
  const visitors = Array.from({ length: 8 }, async () => {
    for (; isLoading && !signal.aborted; views += 1) {
      await view('/');
      await view('/mf-pricing/1.0.0/exposed.js');
    }
  });
  /** Waits until the visitors have had some more views. */
  const moreViews = async (count: number) => {
    for (const end = views + count; views < end;) await delay(5, undefined, { signal });
  };

  await moreViews(100);
  isAvailable = false;
  while (![first, second].every(({ lines }) => lines.some((line) => line.includes('stays shown')))) {
    await moreViews(20);
  }
  await first.stop('SIGKILL');
  await moreViews(200);
  isAvailable = true;
  await bucket.release({ 'mf-pricing': '1.1.0' });
  const page = async () => (await ask('/')).body.toString();
  while (!(await page()).includes('mf-pricing/1.1.0')) await moreViews(20);
  isLoading = false;
  await Promise.all(visitors);
  assert.deepEqual(failed, []);
});

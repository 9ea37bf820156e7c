import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { compileCache } from '../testing/config.ts';
import { releaseCommand } from '../testing/run-release.ts';
import { openServer } from '../testing/stub-service.ts';
import { createLiveSite, pageOf } from '../testing/temporary-store.ts';

/**
 * Sends a signal to a probe that has asked for the page of a site.
 *
 * @param answers whether the site answers: with the page, and with an error for its other files
 */
async function stopProbe(signal: NodeJS.Signals, answers: boolean, words: readonly string[] = []) {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const html = await pageOf(site);
  const server = createServer();
  await using service = await openServer(server);
  const page = '/plans?canary=mf-pricing@1.1.0';
  const child = spawn(process.execPath, [releaseCommand, 'probe', `${service.origin}${page}`, ...words], {
    env: { ...compileCache, ...site.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server.on('request', ({ url }, response) => {
    if (url === page) child.kill(signal);
    if (answers) response.writeHead(url === page ? 200 : 503).end(html);
  });
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { stdout, code: child.exitCode, signal: child.signalCode };
}

test('probe: a signal ends a single probe of a page that does not answer', async () => {
  assert.deepEqual(await stopProbe('SIGINT', false), { stdout: '', code: null, signal: 'SIGINT' });
});

test('probe: neither a broken site nor unwritable metrics end regular probes, or set their exit code', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const words = [
    'probe',
    'http://127.0.0.1:9',
    '--every',
    '0.001',
    '--metrics',
    join(site.root, 'none', 'file'),
  ];
  const child = spawn(process.execPath, [releaseCommand, ...words], {
    env: { ...compileCache, ...site.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const progress = text(child.stderr);
  let rounds = 0;
  for await (const line of createInterface(child.stdout)) {
    assert.match(line, /^The site could not be probed/);
    if ((rounds += 1) === 2) child.kill('SIGTERM');
  }
  assert.match(await progress, /^The metrics could not be written: ENOENT/);
  if (child.exitCode === null) await once(child, 'exit');
  assert.equal(child.exitCode, 0);
});

test('probe: a stop during a regular probe is no result', async () => {
  assert.deepEqual(await stopProbe('SIGTERM', true, ['--every', '1']), { stdout: '', code: 0, signal: null });
});

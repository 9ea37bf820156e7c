import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runToCompletion } from './run-until-ended.ts';

const run = (script: string, signal: AbortSignal) =>
  runToCompletion(process.execPath, ['--eval', script], {}, signal);

test('run to completion: returns output and exit code', async () => {
  const ended = await run(`console.log('built'); process.exitCode = 3`, new AbortController().signal);
  assert.deepEqual(ended, { exitCode: 3, stdout: 'built\n' });
});

test('run to completion: an abort waits for the graceful exit', async ({ signal }) => {
  const folder = await mkdtemp(join(tmpdir(), 'run-until-ended-'));
  const [begun, ended] = [join(folder, 'begun'), join(folder, 'ended')];
  const stopping = new AbortController();
  const running = run(
    `const { writeFileSync } = require('node:fs');
    process.once('SIGTERM', () => setTimeout(() => {
      writeFileSync(${JSON.stringify(ended)}, '');
      process.exit(0);
    }, 300));
    setInterval(() => undefined, 1000);
    writeFileSync(${JSON.stringify(begun)}, '');`,
    stopping.signal,
  );
  try {
    while (!existsSync(begun)) await delay(20, undefined, { signal });
    stopping.abort(new Error('told to stop'));
    await assert.rejects(running, /told to stop/);
    assert(existsSync(ended));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('run to completion: an aborted signal starts no process', async () => {
  await assert.rejects(
    runToCompletion('no-such-command', [], {}, AbortSignal.abort(new Error('told to stop'))),
    /told to stop/,
  );
});

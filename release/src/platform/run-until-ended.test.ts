import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runUntilEnded } from './run-until-ended.ts';

const run = (script: string, signal: AbortSignal) =>
  runUntilEnded(process.execPath, ['--eval', script], {}, signal);

test('what a process printed and its exit code are there when it has ended', async () => {
  const ended = await run(`console.log('built'); process.exitCode = 3`, new AbortController().signal);
  assert.deepEqual(ended, { exitCode: 3, stdout: 'built\n' });
});

test('on abort the process may finish what it does, and has ended when the abort is reported', async () => {
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
    while (!existsSync(begun)) await delay(20);
    stopping.abort(new Error('told to stop'));
    await assert.rejects(running, /told to stop/);
    assert(existsSync(ended));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('after an abort nothing is started', async () => {
  await assert.rejects(
    runUntilEnded('no-such-command', [], {}, AbortSignal.abort(new Error('told to stop'))),
    /told to stop/,
  );
});

test('a command that does not exist is an error', async () => {
  await assert.rejects(runUntilEnded('no-such-command', [], {}, new AbortController().signal), /ENOENT/);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CallEvent } from './call-messages.ts';
import { RunningCalls, type Call, type ReceivedCall } from './running-calls.ts';

/** Prints its arguments without the first. If that is `wait`, it runs until a signal. */
const program = `process.once('message', ({ words: [name, ...words], releaser }) => {
  process.disconnect();
  if (name === 'wait') {
    process.on('SIGTERM', () => process.exit(0));
    setInterval(() => undefined, 1000);
  }
  console.log(words.join(' '));
  console.error(releaser, process.env.RELEASE_TOKEN, process.env.RELEASER);
});`;

const received = (name: string, words: readonly string[] = [], isLongRunning = false): ReceivedCall => ({
  words: [name, ...words],
  isLongRunning,
});

async function eventsOf(call: Call): Promise<readonly CallEvent[]> {
  const events: CallEvent[] = [];
  for await (const event of call.follow()) events.push(event);
  return events;
}

test('running calls: each runs once; their number, their builds and their end are limited', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'running-calls-'));
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  const calls = new RunningCalls(file, join(folder, 'calls'), {
    ofReleaser: 2,
    total: 3,
    bytesPerDay: 6,
    // More than any disk has free, so no build is received.
    requiredSpace: Infinity,
  });
  const open = (key: string, call: ReceivedCall, name = 'anna') => calls.open(key, name, async () => call);

  const echo = await open('echo', received('echo', ['a', 'b']));
  assert.deepEqual(await eventsOf(echo), [
    { progress: 'anna undefined undefined\n' },
    { exitCode: 0, stdout: 'a b\n' },
  ]);
  assert.equal(await open('echo', received('echo', ['c'])), echo);
  await assert.rejects(open('echo', received('echo'), 'ben'), /does not know this call/);
  // A call that could not be received can be sent again.
  await assert.rejects(
    calls.open('broken', 'anna', () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  // The contents have 3 and 6 bytes, of 6 a day. A build for which there is no room counts as well.
  const build = (content: string) => ({ ...received('echo'), build: { files: { 'a.js': content } } });
  await assert.rejects(open('broken', build('YWFh')), /has no room/);
  await assert.rejects(open('broken', build('YWFhYWFh')), /builds of anna have used up their bytes of today/);
  await open('broken', received('echo')).then(eventsOf);

  const tooMany = { name: 'HttpError', status: 429 };
  const properly = await open('properly', received('wait', ['properly'], true));
  const stuck = await open('stuck', received('wait'));
  await assert.rejects(open('third of anna', received('echo')), tooMany);
  const other = await open('of ben', received('wait', [], true), 'ben');
  await assert.rejects(open('of carl', received('echo'), 'carl'), tooMany);
  // All have printed, so all handle signals.
  for (const call of [properly, stuck, other]) await call.follow().next();
  await calls.stop(5_000);
  // A long-running call gets SIGTERM. The others may end by themselves for 5 s, and are then killed: exit code 3, outcome unknown.
  assert.deepEqual((await eventsOf(properly)).at(-1), { exitCode: 0, stdout: 'properly\n' });
  assert.equal(JSON.stringify((await eventsOf(stuck)).at(-1)).includes('"exitCode":3'), true);
  await assert.rejects(open('after', received('echo')), { name: 'HttpError', status: 503 });
  await rm(folder, { recursive: true });
});

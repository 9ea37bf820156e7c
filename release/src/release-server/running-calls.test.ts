import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CallEvent } from './call-messages.ts';
import { RunningCalls, type Call, type ReceivedCall } from './running-calls.ts';

/** Prints its arguments, and waits for a signal if it is told to. */
const program = `process.once('message', ({ name, words, releaser }) => {
  process.disconnect();
  if (name === 'wait') {
    process.on('SIGTERM', () => process.exit(words[0] === 'properly' ? 0 : undefined));
    setInterval(() => undefined, 1000);
  }
  console.log(name === 'large' ? 'x'.repeat(17_000_000) : words.join(' '));
  console.error(releaser, process.env.RELEASE_TOKEN, process.env.RELEASER);
});`;

const received = (name: string, words: readonly string[] = [], goesOn = false): ReceivedCall => ({
  message: { name, words, options: {}, releaser: 'anna' },
  goesOn,
});

async function eventsOf(call: Call): Promise<readonly CallEvent[]> {
  const events: CallEvent[] = [];
  for await (const event of call.follow(0)) events.push(event);
  return events;
}

test('running calls: their number, output and end are limited', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'running-calls-'));
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  const calls = new RunningCalls(file, join(folder, 'calls'));
  const anna = { name: 'anna' };
  const open = (key: string, call: ReceivedCall) =>
    calls.open(key, anna, async (_folder, admit) => {
      admit();
      return call;
    });

  const echo = await open('echo', received('echo', ['a', 'b']));
  assert.deepEqual(await eventsOf(echo), [
    { progress: 'anna undefined undefined\n' },
    { exitCode: 0, stdout: 'a b\n' },
  ]);
  assert.equal(await open('echo', received('echo', ['c'])), echo);
  await assert.rejects(calls.find('echo', { name: 'ben' }), /does not know this call/);
  // A call that could not be received can be sent again.
  await assert.rejects(
    calls.open('broken', anna, () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  const large = await eventsOf(await open('broken', received('large')));
  assert.match(JSON.stringify(large), /prints more than the release server can keep.*"exitCode":1/);

  const gate = Promise.withResolvers<never>();
  const never = (_folder: string, admit: () => void) => {
    admit();
    return gate.promise;
  };
  // A call of which the first line is missing takes no place of others.
  const silent = Array.from({ length: 20 }, (_, index) =>
    calls.open(`silent ${index}`, anna, () => gate.promise),
  );
  const receiving = ['ben', 'carl'].flatMap((name) =>
    Array.from({ length: 7 }, (_, index) => calls.open(`${name} ${index}`, { name }, never)),
  );
  const properly = await open('properly', received('wait', ['properly'], true));
  const stuck = await open('stuck', received('wait'));
  const tooMany = { name: 'HttpError', status: 429 };
  await assert.rejects(calls.open('one more', anna, never), tooMany);
  // Both have printed, so both handle signals.
  for (const call of [properly, stuck]) await call.follow(0).next();
  await calls.stop(300);
  assert.deepEqual((await eventsOf(properly)).at(-1), { exitCode: 0, stdout: 'properly\n' });
  assert.equal(JSON.stringify((await eventsOf(stuck)).at(-1)).includes('"exitCode":3'), true);
  await assert.rejects(calls.open('after', anna, never), { name: 'HttpError', status: 503 });
  gate.reject(new Error('over'));
  await Promise.allSettled([...receiving, ...silent]);
  await rm(folder, { recursive: true });
});

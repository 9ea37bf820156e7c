import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CallEvent } from './call-messages.ts';
import type { Call } from './call.ts';
import { RunningCalls, type ReceivedCall } from './running-calls.ts';

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
  const limits = { ofIdentity: 2, total: 2 };
  const calls = new RunningCalls(file, join(folder, 'calls'), [[folder, 'the folder']], limits);
  const anna = { name: 'anna' };
  const open = (key: string, call: ReceivedCall) =>
    calls.open(key, anna, async (_folder, admit) => {
      admit();
      return call;
    });

  const echo = await open('echo', received('echo', [`${folder}/a`, `/site${folder}`, `file://${folder}`]));
  assert.deepEqual(await eventsOf(echo), [
    { progress: 'anna undefined undefined\n' },
    { exitCode: 0, stdout: `the folder/a /site${folder} the folder\n` },
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

  const gate = Promise.withResolvers<ReceivedCall>();
  const upload = (_folder: string, admit: () => void) => {
    admit();
    return gate.promise;
  };
  const tooMany = { name: 'HttpError', status: 429 };
  // A call of which the first line is missing takes no place.
  const silent = Array.from({ length: 5 }, (_, index) =>
    calls.open(`silent ${index}`, anna, () => gate.promise),
  );
  // Slow uploads take those of their own identity only.
  const uploads: Promise<Call>[] = [];
  for (const key of ['upload 1', 'upload 2']) {
    const started = Promise.withResolvers<undefined>();
    const open = calls.open(key, { name: 'ben' }, (folder, admit) => {
      const receiving = upload(folder, admit);
      started.resolve(undefined);
      return receiving;
    });
    uploads.push(open);
    await started.promise;
  }
  await assert.rejects(calls.open('upload 3', { name: 'ben' }, upload), tooMany);
  const properly = await open('properly', received('wait', ['properly'], true));
  const stuck = await open('stuck', received('wait'));
  await assert.rejects(calls.open('one more', { name: 'carl' }, upload), tooMany);
  const late = [...uploads, ...silent].map((call) => assert.rejects(call, tooMany));
  gate.resolve(received('echo'));
  await Promise.all(late);
  // Both have printed, so both handle signals.
  for (const call of [properly, stuck]) await call.follow(0).next();
  await calls.stop(300);
  assert.deepEqual((await eventsOf(properly)).at(-1), { exitCode: 0, stdout: 'properly\n' });
  assert.equal(JSON.stringify((await eventsOf(stuck)).at(-1)).includes('"exitCode":3'), true);
  await assert.rejects(calls.open('after', anna, upload), { name: 'HttpError', status: 503 });
  await rm(folder, { recursive: true });
});

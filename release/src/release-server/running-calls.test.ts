import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openReceivedBuilds } from './received-builds.ts';
import { createRunningCalls, type ReceivedCall } from './running-calls.ts';

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
  releaser: 'anna',
  isLongRunning,
  mayChange: true,
  body: Readable.from([]),
});

/** A temporary folder with the program. */
async function makeFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'running-calls-'));
  const file = join(folder.path, 'program.mjs');
  await writeFile(file, program);
  return { ...folder, program: file, calls: join(folder.path, 'calls') };
}

test('running calls: each runs once; their number, their builds and their end are limited', async () => {
  await using folder = await makeFolder();
  // More than any disk has free, so no build is received.
  const builds = openReceivedBuilds(folder.calls, { bytesPerDay: 6, requiredSpace: Infinity });
  builds.clear();
  const calls = createRunningCalls(folder.program, builds, { ofReleaser: 2, total: 3, duration: 3_600_000 });
  const open = (key: string, call: ReceivedCall, releaser = 'anna') =>
    calls.open(key, releaser, { ...call, releaser });

  const echo = await open('echo', received('echo', ['a', 'b']));
  await echo.ended;
  assert.deepEqual(await echo.stateAfter(0), {
    progress: 'anna undefined undefined\n',
    result: { exitCode: 0, stdout: 'a b\n' },
  });
  assert.equal((await echo.stateAfter(5)).progress, 'undefined undefined\n');
  assert.equal(await open('echo', received('echo', ['c'])), echo);
  assert.equal(await calls.open('echo', 'anna'), echo);
  await assert.rejects(open('echo', received('echo'), 'ben'), /does not know this call/);
  await assert.rejects(calls.open('other', 'anna'), { name: 'HttpError', status: 404 });
  // The limit is 6 bytes a day. A build for which there is no room does not count.
  const build = (content: string) => ({
    ...received('echo'),
    build: { size: content.length, hash: '' },
    body: Readable.from([Buffer.from(content)]),
  });
  for (const content of ['aaaaaa', 'aaaaaa'])
    await assert.rejects(open('broken', build(content)), /has no room/);
  await assert.rejects(open('broken', build('aaaaaaa')), /builds of anna have used up their bytes of today/);
  // A call that could not be received can be sent again.
  await (
    await open('broken', received('echo'))
  ).ended;

  const tooMany = { name: 'HttpError', status: 429 };
  const properly = await open('properly', received('wait', ['properly'], true));
  const stuck = await open('stuck', received('wait'));
  await assert.rejects(open('third of anna', received('echo')), tooMany);
  const other = await open('of ben', received('wait', [], true), 'ben');
  await assert.rejects(open('of carl', received('echo'), 'carl'), tooMany);
  // All have printed, so all handle signals.
  for (const call of [properly, stuck, other]) await call.stateAfter(0);
  await calls.stop(5_000, 0);
  // A long-running call gets SIGTERM. The others may end by themselves for 5 s, and are then killed: exit code 3, outcome unknown.
  assert.deepEqual((await properly.stateAfter(0)).result, { exitCode: 0, stdout: 'properly\n' });
  const killed = await stuck.stateAfter(0);
  assert.equal(killed.result?.exitCode, 3);
  assert.match(killed.progress, /The change may be committed: run "status" before you repeat it\.\n$/);
  await assert.rejects(open('after', received('echo')), { name: 'HttpError', status: 503 });
});

test('running calls: a result is kept for twenty minutes', async (context) => {
  await using folder = await makeFolder();
  const calls = createRunningCalls(folder.program, openReceivedBuilds(folder.calls));
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const call = await calls.open('echo', 'anna', received('echo'));
  await call.ended;
  context.mock.timers.tick(19 * 60_000);
  assert.equal(await calls.open('echo', 'anna', received('echo')), call);
  context.mock.timers.tick(2 * 60_000);
  await assert.rejects(calls.open('echo', 'anna'), { name: 'HttpError', status: 404 });
});

test('running calls: one that does not end is killed, unless it is long-running', async () => {
  await using folder = await makeFolder();
  const limits = { ofReleaser: 2, total: 2, duration: 1 };
  const calls = createRunningCalls(folder.program, openReceivedBuilds(folder.calls), limits);
  const long = await calls.open('long', 'anna', received('wait', [], true));
  const stuck = await calls.open('stuck', 'anna', { ...received('wait'), mayChange: false });
  await stuck.ended;
  assert.equal((await stuck.stateAfter(0)).result?.exitCode, 1);
  assert.equal((await long.stateAfter(0)).result, undefined);
  await calls.stop(0, 0);
});

test('running calls: a cut, changed or too long build is neither kept nor counted', async ({ waitFor }) => {
  await using folder = await makeFolder();
  const builds = openReceivedBuilds(folder.calls, { bytesPerDay: 4, requiredSpace: 0 });
  builds.clear();
  const calls = createRunningCalls(folder.program, builds);
  const left = () => readdir(folder.calls);
  const bodyOf = (...pieces: readonly string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const send = (body: Readable) => {
    const build = { size: 4, hash: hash('sha256', 'abcd') };
    return calls.open('build', 'anna', { ...received('echo', ['stored']), build, body });
  };
  const changed =
    /^UsageError: The build changed while it was sent\. Publish it again when it is complete\.$/;
  for (const pieces of [['ab'], ['ab', 'ce'], ['abcd', 'e'], []])
    await assert.rejects(send(bodyOf(...pieces)), changed);
  const cut = Readable.from(
    (async function* () {
      yield Buffer.from('ab');
      throw new Error('The connection is lost.');
    })(),
  );
  await assert.rejects(send(cut), /connection is lost/);
  assert.deepEqual(await left(), []);
  // While its call runs, a build is kept, and only once.
  const [call, again] = await Promise.all([send(bodyOf('ab', 'cd')), send(bodyOf('abcd'))]);
  assert.equal(again, call);
  await call.ended;
  await assert.rejects(
    calls.open('next', 'anna', { ...received('echo'), build: { size: 1, hash: '' } }),
    /used up/,
  );
  await waitFor(async () => assert.deepEqual(await left(), []));
});

import assert from 'node:assert/strict';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { packTar } from 'modern-tar';
import { builtRemote, type BuiltPart } from '../testing/built-part.ts';
import { startReleaseServer } from '../testing/start-release-server.ts';
import { createLiveSite } from '../testing/temporary-store.ts';
import { newToken } from './identities-file.ts';

const part = 'mf-pricing';
const words = ['publish', part];
const anna = newToken('anna');
const owners = { '*': [], [part]: ['anna'] };

/** Bytes that a release server may have in memory, whatever is sent. */
const maxMemory = 300_000_000;
/** Source text of a module that lets the server print the most memory that it had, in bytes, when it ends. */
const printMemory = `process.on('exit', () => console.error('memory', 1024 * process.resourceUsage().maxRSS));`;

const tarOf = (files: BuiltPart) =>
  packTar(Object.entries(files).map(([name, body]) => ({ header: { name, size: body.length }, body })));

const megabyte = randomBytes(1_000_000);

/** An upload of so many megabytes, which may end with an error. */
async function* upload(megabytes: number, error?: Error): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < megabytes; sent += 1) yield megabyte;
  if (error) throw error;
}

test('upload: cut, doubled, changed, endless or too many builds fill neither memory nor disk', async ({
  waitFor,
}) => {
  await using site = await createLiveSite({ shell: '1.0.0', [part]: '1.0.0' });
  await using server = await startReleaseServer(site, [anna.identity], owners, 0, printMemory);
  const send = async (megabytes: number, body: AsyncIterable<Uint8Array>, key?: string) => {
    const build = { size: megabytes * megabyte.length, hash: hash('sha256', '') };
    const { response } = await server.post(anna.token, { words, build }, body, key);
    return `${response.status} ${await response.text()}`;
  };
  const assertNoFile = () =>
    waitFor(async () => assert.deepEqual(await readdir(join(site.root, 'data', 'calls')), []), {
      timeout: 60_000,
    });

  const lost = new Error('The connection is lost.');
  const cut = await Promise.allSettled(Array.from({ length: 8 }, () => send(90, upload(40, lost))));
  assert.deepEqual(new Set(cut.map(({ status }) => status)), new Set(['rejected']));
  await assertNoFile();

  const changed = /^400 .*The build changed while it was sent\. Publish it again when it is complete\./;
  assert.match(await send(90, upload(90)), changed);
  assert.match(await send(90, upload(1_000)), changed);
  assert.match(await send(1_000, upload(1_000)), /^400 .*The build has more than 100 MB\. Remove/);
  const many = await Promise.allSettled(Array.from({ length: 200 }, () => send(5, upload(5))));
  const answers = many.flatMap((sent) => (sent.status === 'fulfilled' ? sent.value : []));
  assert.ok(
    answers.some((answer) => /^429 .*as many calls as it can\. Try again in a minute\./.test(answer)),
  );
  // On a busy machine, the headers of some come too late.
  for (const answer of answers) assert.match(answer, /^(?:400 .*changed|408|429)/);
  await assertNoFile();

  const files = Array.from({ length: 5_001 }, (_, index) => [`${index}.js`, '']);
  const tooMany = await server.call(anna.token, words, await tarOf(Object.fromEntries(files) as BuiltPart));
  assert.match(tooMany.message, /^The build has 0 MB in 5001 files to publish, and at most /m);

  const large = await tarOf(builtRemote(part, '1.1.0', { 'plan.png': randomBytes(90_000_000) }));
  const key = randomUUID();
  const doubled = await Promise.all([1, 2].map(() => server.call(anna.token, words, large, key)));
  for (const { stdout } of doubled) assert.equal(stdout, `${part} 1.1.0: stored\n`);
  await assertNoFile();

  await server.stop('SIGTERM');
  const [, memory] = /^memory (\d+)$/m.exec(server.warnings()) ?? [];
  assert.ok(Number(memory) < maxMemory, `${memory} bytes`);
});

test('upload: what a killed server has left is removed by the next one', async ({ waitFor }) => {
  await using site = await createLiveSite({ shell: '1.0.0', [part]: '1.0.0' });
  await using server = await startReleaseServer(site, [anna.identity], owners);
  const folder = join(site.root, 'data', 'calls');
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const waiting = async function* () {
    yield megabyte;
    await end;
  };
  const build = { size: 90_000_000, hash: '' };
  const sent = server.post(anna.token, { words, build }, waiting()).catch(() => undefined);
  await waitFor(async () => assert.equal((await readdir(folder)).length, 1), { timeout: 60_000 });
  await server.stop('SIGKILL');
  resolve(undefined);
  await sent;
  assert.equal((await readdir(folder)).length, 1);
  await using next = await startReleaseServer(site, [anna.identity], owners);
  assert.deepEqual(await readdir(folder), [], next.url);
});

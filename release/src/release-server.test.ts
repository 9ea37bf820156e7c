import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { packTar } from 'modern-tar';
import { withoutBrowser } from './testing/config.ts';
import type { BuiltPart } from './testing/built-part.ts';
import { compatibleRemote } from './testing/compatible-part.ts';
import { startReleaseServer } from './testing/start-release-server.ts';
import { sendRequest, startStubService } from './testing/stub-service.ts';
import { createLiveSite } from './testing/temporary-store.ts';
import { sentCall } from './release-server/call-messages.ts';
import { newToken } from './release-server/identities-file.ts';

const pricing = newToken('pricing-team');
const reader = newToken('reader');
const identities = [pricing.identity, reader.identity];
const owners = { '*': [], 'mf-pricing': { publish: ['pricing-team'], release: ['pricing-team'] } };

const tarOf = (build: BuiltPart) =>
  packTar(Object.entries(build).map(([name, body]) => ({ header: { name, size: body.length }, body })));

test('release server: an owner of one part reaches nothing else', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0', 'mf-leads': '1.0.0' });
  await using server = await startReleaseServer(site, identities, owners);
  const { token } = pricing;
  const isRefused = async (status: number, message: RegExp, words: readonly string[], by = token) => {
    const { status: found, message: said } = await server.call(by, words);
    assert.deepEqual([found, message.test(said)], [status, true], `${words.join(' ')}: ${said}`);
  };
  const before = await site.objects.list('');
  for (const words of [
    ['promote', 'mf-leads', '1.0.0'],
    ['rollback', 'mf-leads'],
    ['canary', 'mf-leads', '1.0.0', '--percent=5'],
    ['remove', 'shell', '1.0.0'],
    ['watch', 'mf-leads'],
    ['prune'],
  ]) {
    await isRefused(403, /^pricing-team may not release (?:mf-leads|shell): its owners are none/, words);
  }
  await isRefused(403, /^reader may not release mf-pricing/, ['rollback', 'mf-pricing'], reader.token);
  // eslint-disable-next-line no-restricted-syntax -- Who may use it is the subject of this test.
  for (const option of ['--force', '--in-freeze']) {
    const promote = ['promote', 'mf-pricing', '1.0.0', option];
    await isRefused(403, new RegExp(`^pricing-team may not use ${option}: `), [...promote, '--why=x']);
    await isRefused(400, new RegExp(`^${option} needs a reason`), promote);
  }
  // Arguments that would name files, folders and ports of the server.
  for (const words of [
    ['publish', 'mf-pricing'],
    ['publish', 'mf-pricing', '/etc'],
    ['watch', 'mf-pricing', '--minutes=1441'],
    ['serve'],
  ]) {
    await isRefused(400, /^The release server does not run "[a-z]+" with these arguments\./, words);
  }
  const views = `--views=${'9'.repeat(400)}`;
  await isRefused(400, /^--views must be a number above 0 and at most 1000000,/, [
    'watch',
    'mf-pricing',
    views,
  ]);
  for (const words of [['server'], ['token', 'anna']]) {
    await isRefused(400, /^error: unknown command/, words);
  }
  for (const words of [
    ['promote', 'mf-pricing', '1.0.0', 'mf-leads'],
    ['promote', 'mf-pricing', '1.0.0', '--releaser=anna'],
    ['promote', './mf-pricing', '1.0.0'],
  ]) {
    await isRefused(400, /./, words);
  }
  const leads = await tarOf(compatibleRemote('mf-leads', '2.0.0'));
  const other = await server.call(token, ['publish', 'mf-pricing'], leads);
  assert.match(other.message, /The folder holds mf-leads, not mf-pricing/);
  const damaged = await server.call(token, ['publish', 'mf-pricing'], await tarOf({ 'part.json': '{' }));
  assert.match(damaged.message, /part\.json is not valid: /);
  assert.equal((await server.call(token, ['publish', 'mf-leads'], leads)).status, 403);
  for (const path of [
    '/live.json',
    '/history/00000001.json',
    '/pages/',
    '/board/index.html',
    '/../live.json',
    '/calls/',
  ]) {
    const { status } = await sendRequest(Number(new URL(server.url).port), path, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(status, 404, path);
  }
  assert.deepEqual(await site.objects.list(''), before);
  assert.equal(server.warnings(), '');
});

test('release server: a call runs once, and only its caller gets its result', async () => {
  await using site = await createLiveSite(
    { shell: '1.0.0', 'mf-pricing': '1.0.0' },
    { 'mf-pricing': '1.1.0' },
  );
  const environment = { ...site.environment, ...withoutBrowser };
  await using server = await startReleaseServer({ ...site, environment }, identities, owners);
  const key = randomUUID();
  const ask = ({ token } = pricing) =>
    server.call(token, ['rollback', 'mf-pricing', '--json'], undefined, key);
  const answers = await Promise.all([ask(), ask()]);
  answers.push(await ask());
  const [{ exitCode, stdout, path }] = answers;
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.deepEqual([exitCode, JSON.parse(stdout).version], [0, '1.0.0']);
  const follow = async (by: string, address = path) => {
    const response = await fetch(`${address}/0`, { headers: { Authorization: `Bearer ${by}` } });
    return [response.status, await response.text()] as const;
  };
  assert.equal((await follow(pricing.token))[0], 200);
  assert.equal((await follow(reader.token))[0], 410);
  assert.equal((await follow(pricing.token, `${server.url}/calls/${randomUUID()}/${key}`))[0], 410);
  assert.equal((await follow(pricing.token, path.replace(key, randomUUID())))[0], 404);
  const [status, unknown] = await follow('x');
  assert.deepEqual([status, /does not know this token\. Set RELEASE_TOKEN/.test(unknown)], [401, true]);
  const history = await site.history();
  assert.deepEqual(
    history.slice(-2).map(({ who, action }) => [who, action]),
    [
      ['a test', 'promote'],
      ['pricing-team', 'rollback'],
    ],
  );
});

test('release server: a header that could reach files or settings is no call', () => {
  const build = { size: 1, hash: '' };
  for (const sent of [
    { words: [], build: { ...build, commit: '<b>' } },
    { words: [], build: { ...build, tar: '/etc/passwd' } },
    { words: [], build: { ...build, size: -1 } },
    { words: ['status'], environment: { RELEASER: 'anna' } },
    { words: ['status'], releaser: 'anna' },
    'publish',
  ]) {
    assert.equal(sentCall.safeParse(sent).success, false, JSON.stringify(sent));
  }
  assert.equal(sentCall.safeParse({ words: ['publish', 'mf-pricing'], build }).success, true);
});

test('release server: a client of the first protocol is told to update', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await using server = await startReleaseServer(site, identities, owners);
  const response = await fetch(`${server.url}/calls/${randomUUID()}/${randomUUID()}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${reader.token}` },
    body: JSON.stringify({ words: ['status'] }),
  });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /"This release command is older than the release server\. Update /);
});

test('release server: a busy port prints one message and ends the process', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await using other = await startStubService((_request, response) => response.end());
  await assert.rejects(startReleaseServer(site, identities, owners, other.port), {
    message: `It ended with 1: Port ${other.port} is in use. Stop the process that listens there, or choose another with RELEASE_PORT=<port>.\n`,
  });
});

test('release server: the board is for clients with a token', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  await using server = await startReleaseServer(site, identities, owners);
  assert.equal((await fetch(server.url)).status, 401);
  const board = await fetch(server.url, { headers: { Authorization: `Bearer ${reader.token}` } });
  assert.equal(board.status, 200);
  assert.match(await board.text(), /<title>Release board/);
});

test('release server: an invalid file of its own is explained in its log only', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await using server = await startReleaseServer(site, identities, owners);
  for (const name of ['owners.json', 'identities.json']) {
    const file = join(site.root, name);
    const content = await readFile(file);
    await writeFile(file, '{');
    const { status, message } = await server.call(pricing.token, ['rollback', 'mf-pricing']);
    assert.equal(status, 503);
    assert.equal(message, 'The release server cannot do this now. Try again in a minute.');
    assert.ok(server.warnings().includes(file), server.warnings());
    await writeFile(file, content);
  }
  assert.equal((await server.call(pricing.token, ['status'])).status, 200);
});

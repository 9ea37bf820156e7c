import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutBrowser } from '../testing/config.ts';
import { compatibleRemote } from '../testing/compatible-part.ts';
import { startReleaseServer } from '../testing/release-server.ts';
import { sendRequest, startStubService } from '../testing/stub-service.ts';
import { createLiveSite } from '../testing/temporary-store.ts';
import { callBody } from './call-messages.ts';
import { newToken } from './identities-file.ts';

const pricing = newToken('pricing-team');
const reader = newToken('reader');
const identities = [pricing.identity, reader.identity];
const owners = { '*': [], 'mf-pricing': { publish: ['pricing-team'], release: ['pricing-team'] } };

/** A call that publishes this build. */
function publishCall(part: string, build: Readonly<Record<string, string | Uint8Array>>) {
  const files = Object.entries(build).map(([name, content]) => [
    name,
    Buffer.from(content).toString('base64'),
  ]);
  return { words: ['publish', part], build: { files: Object.fromEntries(files) } };
}

test('release server: an owner of one part reaches nothing else', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0', 'mf-leads': '1.0.0' });
  await using server = await startReleaseServer(site, identities, owners);
  const { token } = pricing;
  const isRefused = async (status: number, message: RegExp, words: readonly string[], by = token) => {
    const response = await server.put(by, { words });
    const { message: found } = (await response.json()) as { message: string };
    assert.deepEqual([response.status, message.test(found)], [status, true], `${words.join(' ')}: ${found}`);
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
  await isRefused(400, /^--views must be at most 1000000\.$/, ['watch', 'mf-pricing', views]);
  for (const words of [['server'], ['token', 'anna']]) {
    await isRefused(400, /^error: unknown command/, words);
  }
  for (const words of [
    ['promote', 'mf-pricing', '1.0.0', 'mf-leads'],
    ['promote', 'mf-pricing', '1.0.0', '--releaser=anna'],
    ['promote', '../mf-pricing', '1.0.0'],
  ]) {
    await isRefused(400, /./, words);
  }
  const leads = await server.put(token, publishCall('mf-pricing', compatibleRemote('mf-leads', '2.0.0')));
  assert.match(await leads.text(), /The folder holds mf-leads, not mf-pricing/);
  const damaged = await server.put(token, publishCall('mf-pricing', { 'part.json': '{' }));
  assert.match(await damaged.text(), /"progress":".*part\.json is not valid: /);
  const foreign = publishCall('mf-leads', compatibleRemote('mf-leads', '2.0.0'));
  assert.equal((await server.put(token, foreign)).status, 403);
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
  const health = await fetch(`${server.url}/health`);
  const { instance } = (await health.json()) as { instance: string };
  const key = randomUUID();
  const ask = ({ token } = pricing, to = instance) =>
    fetch(`${server.url}/calls/${to}/${key}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ words: ['rollback', 'mf-pricing', '--json'] }),
    });
  assert.equal((await ask(pricing, randomUUID())).status, 410);
  const answers = await Promise.all([ask(), ask()].map(async (asked) => (await asked).text()));
  const [answer = ''] = answers.map((text) => text.trim());
  assert.equal(answers[1]?.trim(), answer);
  assert.equal((await (await ask()).text()).trim(), answer);
  const [last = ''] = answer.split('\n').slice(-1);
  const { exitCode, stdout } = JSON.parse(last) as { exitCode: number; stdout: string };
  assert.deepEqual([exitCode, JSON.parse(stdout).version], [0, '1.0.0']);
  assert.equal((await ask(reader)).status, 410);
  const unknown = await ask({ ...reader, token: 'x' });
  assert.deepEqual(
    [unknown.status, /does not know this token\. Set RELEASE_TOKEN/.test(await unknown.text())],
    [401, true],
  );
  const history = await site.history();
  assert.deepEqual(
    history.slice(-2).map(({ who, action }) => [who, action]),
    [
      ['a test', 'promote'],
      ['pricing-team', 'rollback'],
    ],
  );
});

test('release server: a body that could reach other files or settings is no call', () => {
  const publish = (name: string) => ({ words: ['publish', 'mf-pricing'], build: { files: { [name]: '' } } });
  for (const body of [
    ...['../stolen.js', 'public/../../../stolen.js', '/tmp/stolen.js', '.', 'a\0.js', '..\\stolen.js'].map(
      publish,
    ),
    { words: [], build: { commit: '<b>', files: {} } },
    { words: ['status'], environment: { RELEASER: 'anna' } },
    { words: ['status'], releaser: 'anna' },
    'publish',
  ]) {
    assert.equal(callBody.safeParse(body).success, false, JSON.stringify(body));
  }
  assert.equal(callBody.safeParse(publish('public/a.js')).success, true);
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
  await site.store.writeBoard('<title>Release board');
  await using server = await startReleaseServer(site, identities, owners);
  assert.equal((await fetch(server.url)).status, 401);
  const board = await fetch(server.url, { headers: { Authorization: `Bearer ${reader.token}` } });
  assert.deepEqual([board.status, await board.text()], [200, '<title>Release board']);
});

test('release server: an invalid file of its own is an error of the server, which only its log explains', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  await using server = await startReleaseServer(site, identities, owners);
  for (const name of ['owners.json', 'identities.json']) {
    const file = join(site.root, name);
    const content = await readFile(file);
    await writeFile(file, '{');
    const response = await server.put(pricing.token, { words: ['rollback', 'mf-pricing'] });
    assert.equal(response.status, 503);
    const { message } = (await response.json()) as { message: string };
    assert.equal(message, 'The release server cannot do this now. Try again in a minute.');
    assert.ok(server.warnings().includes(file), server.warnings());
    await writeFile(file, content);
  }
  assert.equal((await server.put(pricing.token, { words: ['status'] })).status, 200);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutBrowser } from './testing/config.ts';
import { compatibleRemote, compatibleShell } from './testing/compatible-part.ts';
import { writeBuiltPart } from './testing/built-part.ts';
import { forward } from './testing/object-server.ts';
import { bundleClient, startReleaseServer } from './testing/start-release-server.ts';
import { failsWith, succeedsWith } from './testing/run-release.ts';
import { startStubService } from './testing/stub-service.ts';
import { createSiteOf, createTemporaryBucket, type TestStore } from './testing/temporary-store.ts';
import { startTokenIssuer } from './testing/token-issuer.ts';
import { newToken } from './release-server/identities-file.ts';

const anna = newToken('anna');
const token = { RELEASE_TOKEN: anna.token };
const owners = {
  '*': [],
  'mf-pricing': { publish: ['pricing-ci', 'anna'], release: ['pricing-ci', 'anna'] },
};

const parts = [
  compatibleShell('1.0.0'),
  compatibleRemote('mf-pricing', '1.0.0'),
  compatibleRemote('mf-leads', '1.0.0'),
];
const createSite = () => createSiteOf(...parts);

const actionsOf = async (site: TestStore, part: string) =>
  (await site.history())
    .filter((historyEntry) => historyEntry.parts.join() === part)
    .map(({ who, action, to }) => [who, action, to]);

test('release server: a pipeline with the bundled client releases its part, and nothing else', async () => {
  const claims = {
    repository: 'acme/pricing',
    ref: 'refs/heads/main',
    sha: '0123456789abcdef0123456789abcdef01234567',
    job_workflow_ref: 'acme/pricing/.github/workflows/release.yml@refs/heads/main',
    name: 'anna',
  };
  await using site = await createTemporaryBucket();
  const [shell] = await site.publish(...parts);
  await site.deploy({ shell: shell?.manifest.version ?? '', 'mf-pricing': '1.0.0', 'mf-leads': '1.0.0' });
  await using issuer = await startTokenIssuer(claims);
  const listed = { repository: 'acme/pricing', ref: 'refs/heads/main' };
  const identity = { name: 'pricing-ci', issuer: issuer.issuer, claims: listed };
  await using server = await startReleaseServer(site, [identity, anna.identity], owners);
  const client = await bundleClient(site.root);
  const { STORE_URL = '', S3_ENDPOINT = '' } = site.environment;
  const ignored = { RELEASER: 'anna', SITE_ORIGIN: 'https://evil.example', STORE_URL, S3_ENDPOINT };
  const job = { ...issuer.jobEnvironment, ...ignored };
  const run = (words: readonly string[]) => server.run(words, job, client);

  // In a repository, whose commits only the client can read.
  const repository = await mkdtemp(join(site.root, 'repository-'));
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...words: string[]) => execFileSync('git', [...author, ...words], { cwd: repository });
  git('init', '--quiet');
  const folder = join(repository, 'dist');
  await mkdir(folder);
  await writeBuiltPart(folder, compatibleRemote('mf-pricing', '1.1.0'));
  await writeBuiltPart(repository, { 'package.json': '{}', '.gitignore': 'dist' });
  git('add', '.');
  git('commit', '--quiet', '--message=limits fit a phone');

  const publish = () => run(['publish', 'mf-pricing', folder]);
  assert.deepEqual(await publish(), succeedsWith('mf-pricing 1.1.0: stored'));
  assert.deepEqual(await publish(), succeedsWith('mf-pricing 1.1.0: unchanged'));
  const record = await site.store.versionRecord('mf-pricing', '1.1.0');
  assert.equal(record?.publishedBy, 'pricing-ci');
  assert.match(record.commit ?? '', /^[0-9a-f]{40}$/);
  const check = await run(['check', 'mf-pricing', '1.1.0']);
  assert.deepEqual([check.code, /mf-pricing 1\.1\.0 can be promoted\n$/.test(check.stdout)], [0, true]);
  const canary = await run(['canary', 'mf-pricing', '1.1.0', '--percent', '5', '--json']);
  assert.deepEqual([canary.code, JSON.parse(canary.stdout).percent], [0, 5]);
  const promoted = await run(['promote', 'mf-pricing', '1.1.0', '--json', '--why', 'a "reason" — -x']);
  assert.deepEqual([promoted.code, promoted.stderr, JSON.parse(promoted.stdout).version], [0, '', '1.1.0']);
  const { commits } = JSON.parse((await run(['status', '--json'])).stdout);
  assert.deepEqual(commits, { 'mf-pricing': record.commit });

  const historyEntry = (await site.history()).at(-1);
  assert.deepEqual([historyEntry?.who, historyEntry?.why], ['pricing-ci', 'a "reason" — -x']);
  assert.equal((await site.store.liveStore.read())?.siteConfig.siteOrigin, 'https://www.example.com');
  assert.deepEqual(await site.verify(), []);
  const history = await run(['history', '--most', '1']);
  assert.match(history.stdout, / {2}pricing-ci {2}promote mf-pricing /);
  const help = await run(['promote', '--help']);
  assert.match(help.stdout, /^Usage: release promote \[options\] <part> <version> \[others\.\.\.\]\n/);

  assert.deepEqual(
    await run(['promote', 'mf-leads', '1.0.0']),
    failsWith(
      "pricing-ci may not release mf-leads: its owners are none. Ask the maintainers of the owners' file to add some.",
    ),
  );
  assert.deepEqual(await actionsOf(site, 'mf-leads'), []);
});

test('release server: lost connections repeat no change, and the client gets the result', async () => {
  await using site = await createSite();
  await site.publish(compatibleRemote('mf-pricing', '1.1.0'));
  await using server = await startReleaseServer(site, [anna.identity], owners);
  // Before the client has seen an answer to its call, in the middle of the answer, and when it asks again.
  const cuts = ['before', 'during', 'before'];
  await using proxy = await startStubService(async (request, response) => {
    const answer = await forward(request, server.url);
    const cut = request.url === '/health' ? undefined : cuts.shift();
    if (cut === 'before') return void response.destroy();
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    if (cut === undefined) return void answer.pipe(response);
    const [piece] = (await once(answer, 'data')) as [Buffer];
    response.write(piece.subarray(0, -9), () => response.destroy());
  });
  const promote = ['promote', 'mf-pricing', '1.1.0'];
  const promoted = await server.run(promote, { ...token, RELEASE_URL: proxy.origin });
  assert.deepEqual([promoted.code, promoted.stderr, cuts], [0, '', []]);
  assert.equal(server.warnings(), '');
  assert.match(promoted.stdout, /^mf-pricing 1\.1\.0 is live in release r-[0-9a-f]{12}\n$/);
  assert.deepEqual(await actionsOf(site, 'mf-pricing'), [['anna', 'promote', '1.1.0']]);
});

test('release server: an upload that is cut is sent again, and stored once', async () => {
  await using site = await createSite();
  await using server = await startReleaseServer(site, [anna.identity], owners);
  const methods: (string | undefined)[] = [];
  await using proxy = await startStubService(async (request, response) => {
    methods.push(request.method);
    const isCut = request.method === 'POST' && !methods.slice(0, -1).includes('POST');
    if (isCut) {
      const { hostname, port } = new URL(server.url);
      const { url, method, headers } = request;
      const sending = ask({ hostname, port, path: url, method, headers }).on('error', () => undefined);
      sending.write((await once(request, 'data'))[0]);
      sending.destroy();
      return void response.destroy();
    }
    const answer = await forward(request, server.url);
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  const folder = await mkdtemp(join(site.root, 'build-'));
  await writeBuiltPart(
    folder,
    compatibleRemote('mf-pricing', '1.1.0', { 'plan.png': randomBytes(5_000_000) }),
  );
  const client = { ...token, RELEASE_URL: proxy.origin };
  const published = await server.run(['publish', 'mf-pricing', folder], client);
  assert.deepEqual(published, succeedsWith('mf-pricing 1.1.0: stored'));
  // Its token, the cut upload, no call with this key, the upload, and the result.
  assert.deepEqual(methods.slice(0, 4), ['GET', 'POST', 'GET', 'POST']);
});

/** Source text that lets a release server kill itself, and whether the change of its call is made nevertheless. */
const kills = {
  'while it receives the call': [
    `patch(Server.prototype, 'emit', (event) => isCall(event) && kill());`,
    false,
  ],
  'before the process of the call starts': [`patch(childProcess, 'fork', kill);`, false],
  'while the call runs': [
    `patch(ChildProcess.prototype, 'emit', (event) => event === 'spawn' && setTimeout(kill, 50));`,
    true,
  ],
  'after the change and before the answer': [
    `patch(ChildProcess.prototype, 'emit', (event) => event === 'exit' && kill());`,
    true,
  ],
} as const;

/** Source text of a module that runs before the server. Its `patch` runs code before each call of a method, with its first argument. */
const killing = (patches: string) => `
  import childProcess, { ChildProcess } from 'node:child_process';
  import { Server } from 'node:http';
  import { syncBuiltinESMExports } from 'node:module';
  const kill = () => process.kill(process.pid, 'SIGKILL');
  let request;
  const isCall = (event) => event === 'request' && request?.method === 'POST';
  const patch = (object, name, before) => {
    const method = object[name];
    object[name] = function (...values) {
      request = values[1];
      before(values[0]);
      return method.apply(this, values);
    };
  };
  ${patches}
  syncBuiltinESMExports();
`;

for (const [phase, [patches, isMade]] of Object.entries(kills)) {
  test(`release server: killed ${phase}, it changes at most once, as its client says`, async ({
    waitFor,
  }) => {
    await using site = await createSite();
    await site.release({ 'mf-pricing': '1.1.0' });
    const quick = { ...site, environment: { ...site.environment, ...withoutBrowser } };
    await using server = await startReleaseServer(quick, [anna.identity], owners, 0, killing(patches));
    const rollback = ['rollback', 'mf-pricing'];
    const client = server.run(rollback, token);
    await server.exited;
    const port = Number(new URL(server.url).port);
    await using next = await startReleaseServer(quick, [anna.identity], owners, port);
    const { code, stdout, stderr } = await client;
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /^The release server was started again\. .* run "status" before you repeat/m);
    const rollbacks = async () =>
      (await actionsOf(site, 'mf-pricing')).filter(([, action]) => action === 'rollback');
    // A call that runs goes on without the server that started it.
    const assertComplete = async () => {
      assert.equal((await rollbacks()).length, isMade ? 1 : 0);
      assert.deepEqual(await site.verify(), []);
    };
    await waitFor(assertComplete, { timeout: 60_000 });
    if (!isMade) assert.equal((await next.run(rollback, token)).code, 0);
    assert.match((await next.run(['status'], token)).stdout, /^mf-pricing +1\.0\.0/m);
  });
}

test('release server: a stop waits for the calls that run', async () => {
  await using site = await createSite();
  await site.publish(compatibleRemote('mf-pricing', '1.1.0'));
  await using server = await startReleaseServer(site, [anna.identity], owners);
  const posted = await server.post(anna.token, { words: ['promote', 'mf-pricing', '1.1.0'] });
  const [{ exitCode, stdout }] = await Promise.all([server.follow(posted), server.stop('SIGTERM')]);
  assert.equal(exitCode, 0);
  assert.match(stdout, /^mf-pricing 1\.1\.0 is live in release /);
  assert.deepEqual(
    await server.run(['status'], token).then(({ code, stderr }) => [code, /does not answer/.test(stderr)]),
    [1, true],
  );
});

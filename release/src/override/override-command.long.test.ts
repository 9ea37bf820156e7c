import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, test, type TestContext } from 'node:test';
import { developerOverride, overrideAlgorithm } from '@countersign/contracts/developer-override';
import { readConfig } from '../config.ts';
import { integrityOf } from '../platform/file-hash.ts';
import { createReleaser, type Releaser } from '../testing/releaser.ts';
import { sendRequest } from '../testing/send-request.ts';
import { compatibleRemote } from '../testing/compatible-part.ts';
import { releaseCommand, runRelease } from '../testing/run-release.ts';
import { makeOverrideKey } from './override-key.ts';

let releaser: Releaser;
beforeEach(async () => void (releaser = await createReleaser(runRelease)));
afterEach(() => releaser[Symbol.asyncDispose]());

const key = makeOverrideKey();
const environment = { OVERRIDE_KEY: key, SITE_ORIGIN: 'https://www.example.com' };
const build = (version: string) => releaser.build(compatibleRemote('mf-pricing', version));

/** Verifies and decodes a link, as a browser with the site's public key does. */
async function verified(link: string, expectedOrigin = 'https://www.example.com') {
  const { origin, searchParams } = new URL(link);
  assert.equal(origin, expectedOrigin);
  assert(searchParams.has('preview'));
  const [payload = '', signature = ''] = (searchParams.get('override') ?? '').split('.');
  const { overrideKey = '' } = readConfig({ OVERRIDE_KEY: key }).site;
  const spki = Buffer.from(overrideKey, 'base64url');
  const publicKey = await crypto.subtle.importKey('spki', spki, overrideAlgorithm, false, ['verify']);
  const signed = new TextEncoder().encode(payload);
  const bytes = Buffer.from(signature, 'base64url');
  assert(await crypto.subtle.verify(overrideAlgorithm, publicKey, bytes, signed));
  return developerOverride.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
}

test('override --version: the link is valid until it expires', async () => {
  await releaser.site.publish(compatibleRemote('mf-pricing', '1.1.0'));
  const before = Date.now();
  const { code, stdout } = await releaser.run(
    ['override', 'mf-pricing', '--version', '1.1.0', '--minutes', '5', '--json'],
    environment,
  );
  assert.equal(code, 0);
  const { part, version, expires } = await verified(JSON.parse(stdout).link);
  assert.deepEqual([part, version.version], ['mf-pricing', '1.1.0']);
  assert.equal(version.entry.url, '/mf-pricing/1.1.0/entry.js');
  assert(expires >= before + 5 * 60_000 && expires <= Date.now() + 5 * 60_000);
});

/** Runs the command until the test ends, and returns the link that it prints. */
async function serve(context: TestContext, ...words: readonly string[]): Promise<string> {
  const serving = spawn(process.execPath, [releaseCommand, 'override', 'mf-pricing', ...words], {
    env: { ...releaser.site.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(serving, 'exit');
  context.after(async () => {
    serving.kill('SIGINT');
    assert.deepEqual(await ended, [0, null]);
  });
  const [link] = await Promise.race([once(createInterface(serving.stdout), 'line'), ended]);
  assert.equal(typeof link, 'string', 'the command has ended without a link');
  return String(link);
}

test('override: a local build is served with hashes until Ctrl-C', async (t) => {
  const { site, version } = await verified(await serve(t, await build('1.2.0'), '--port', '0'));
  assert.equal(site, 'https://www.example.com');
  const answer = await fetch(version.entry.url, { headers: { origin: site } });
  assert.equal(answer.headers.get('access-control-allow-origin'), site);
  assert.equal(answer.headers.get('vary'), 'Origin');
  assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(integrityOf(new Uint8Array(await answer.arrayBuffer())), version.entry.integrity);
});

test('override: other origins and rebound DNS names are refused', async (t) => {
  const { version } = await verified(await serve(t, await build('1.2.0'), '--port', '0'));
  const { port } = new URL(version.entry.url);
  const ask = (headers: Record<string, string>, method = 'GET') =>
    sendRequest(Number(port), '/entry.js', { method, headers: { host: `localhost:${port}`, ...headers } });
  const site = 'https://www.example.com';
  for (const [headers, status] of [
    [{ origin: site }, 200],
    [{}, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'https://www.example.com.evil.example' }, 403],
    [{ origin: 'http://localhost:5000' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: `evil.example:${port}` }, 421],
    [{ host: `evil@localhost:${port}` }, 421],
    [{ host: `evil.example:${port}`, origin: site }, 421],
  ] as const) {
    const answer = await ask(headers);
    assert.equal(answer.status, status, JSON.stringify(headers));
    const readable = status === 200 && 'origin' in headers ? site : undefined;
    assert.equal(answer.headers['access-control-allow-origin'], readable);
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(answer.headers.vary, 'Origin');
  }
  const mayFetch = async (origin: string) => {
    const preflight = { origin, 'access-control-request-private-network': 'true' };
    return (await ask(preflight, 'OPTIONS')).headers['access-control-allow-private-network'];
  };
  assert.equal(await mayFetch(site), 'true');
  assert.equal(await mayFetch('https://evil.example'), undefined);
});

test('override: serves files of the build only, and source maps on request', async (t) => {
  const folder = await build('1.2.0');
  const manifest = JSON.parse(await readFile(join(folder, 'part.json'), 'utf8'));
  const files = ['entry.js', 'exposed.js', 'exposed.css', ...Object.values(manifest.fragments)];
  await writeFile(join(folder, 'part.json'), JSON.stringify({ ...manifest, files }));
  await writeFile(join(folder, 'notes.txt'), 'not part of the build');
  const statusesOf = async (link: string) => {
    const { entry } = (await verified(link)).version;
    const port = Number(new URL(entry.url).port);
    const paths = [
      '/entry.js',
      '/exposed.css',
      '/entry.js.map',
      '/notes.txt',
      '/',
      '/../secret',
      '/%2e%2e/x',
    ];
    return Promise.all(paths.map(async (path) => (await sendRequest(port, path)).status));
  };
  assert.deepEqual(
    await statusesOf(await serve(t, folder, '--port', '0')),
    [200, 200, 404, 404, 404, 404, 404],
  );
  assert.deepEqual(
    await statusesOf(await serve(t, folder, '--port', '0', '--source-maps')),
    [200, 200, 200, 404, 404, 404, 404],
  );
});

test('override --site: the link and its token name that origin, and only an address is accepted', async () => {
  await releaser.site.publish(compatibleRemote('mf-pricing', '1.1.0'));
  const link = (site: string) =>
    releaser.run(['override', 'mf-pricing', '--version', '1.1.0', '--site', site], environment);
  const { stdout } = await link('http://localhost:3000/some/page');
  const { site } = await verified(stdout.trim(), 'http://localhost:3000');
  assert.equal(site, 'http://localhost:3000');
  for (const wrong of ['localhost:3000', 'www.example.com', '']) {
    const { code, stderr } = await link(wrong);
    assert.equal(code, 2, wrong);
    assert.match(stderr, /^--site must be the address of the site, such as https:/);
  }
});

test('override: a missing key is an error that says how to create one', async () => {
  const { code, stderr } = await releaser.run(['override', 'mf-pricing', await build('1.3.0')]);
  assert.equal(code, 1);
  assert.match(stderr, /^OVERRIDE_KEY is missing\. .*--new-key/);
});

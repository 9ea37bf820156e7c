import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { startDevelopmentServer } from './development-server.ts';

const program = join(import.meta.dirname, 'dev.ts');
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'dev-'));
  const parts = {
    'mf-throws': `throw new Error('no such thing');`,
    'mf-other': `export const other = 1;`,
    'mf-pricing': `export const remote = { name: 'mf-pricing', exposes: {}, hydration: {} };`,
  };
  for (const [name, code] of Object.entries(parts)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'remote.ts'), code);
  }
});

after(() => {
  rmSync(folder, { recursive: true });
});

/** Expects that the command ends with one line of error. */
function expectRefusal(words: readonly string[], message: RegExp, exitCode = 1): void {
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.match(stderr.trim(), message);
  assert.equal(stderr.trim().split('\n').length, 1);
  assert.equal(status, exitCode);
}

for (const [name, words, message, exitCode] of [
  ['an unknown part', ['mf-no'], /^dev: Unknown part "mf-no"\. Known parts: mf-other, /],
  ['a remote.ts that throws', ['mf-throws'], /remote\.ts cannot be loaded: no such thing$/],
  ['a remote.ts without a remote', ['mf-other'], /must export "remote"/],
  ['a site without a scheme', ['--site', 'localhost:3000'], /such as https:/, 2],
  ['a port that is no number', ['--port', 'abc'], /number from 0 to 65535/, 2],
  ['a site that is down', ['mf-pricing', '--site', 'http://localhost:1'], /does not answer\. Name a site/],
] as const) {
  test(`dev: refuses ${name} in one line`, () => expectRefusal(words, message, exitCode));
}

async function startSite(respond: RequestListener) {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

test('dev: refuses a site program that is killed, instead of waiting for it', async () => {
  const free = await startSite(() => undefined);
  free.close();
  writeFileSync(join(folder, 'start.ts'), `process.kill(process.pid, 'SIGKILL');`);
  const site = free.url.replace('127.0.0.1', 'localhost');
  expectRefusal(
    ['mf-pricing', '--site', site, '--start', 'start.ts'],
    /^dev: start\.ts ended with SIGKILL\.$/,
  );
});

/** Starts the server for some remotes. */
const start = (
  site: string,
  remotes: readonly RemoteDefinition[],
  log: (line: string) => void = () => undefined,
) =>
  startDevelopmentServer({
    remotes: remotes.map((remote) => ({ root: folder, remote })),
    site,
    port: 0,
    log,
  });

test('dev: refuses a site that accepts connections and never answers', async () => {
  await using silent = await startSite(() => undefined);
  await assert.rejects(start(silent.url, []), /\/\?preview does not answer\. Name a site with --site\.$/);
});

const shell = { version: '1.0.0', scripts: [], styles: [] };
const release = { schemaVersion: 1, releaseId: 'r-0123456789ab', shell, remotes: {} };
const page = `<script type="application/json" id="${releaseDocumentElementId}">${JSON.stringify(release)}</script>`;

const budget = { markup: 1, style: 1, script: 1 };
const remote = { name: 'mf-pricing', exposes: {}, hydration: {}, budget } as unknown as RemoteDefinition;

test('dev: says that a new remote has no slot in the page of the site', async () => {
  await using site = await startSite((_request, response) => response.end(page));
  const lines: string[] = [];
  const server = await start(site.url, [remote], (line) => lines.push(line));
  await server.close();
  assert.match(lines.join('\n'), /^mf-pricing has no slot in the page of http:\/\/127/m);
});

test('dev: refuses an occupied port, and stops the site that it started', async () => {
  await using busy = await startSite(() => undefined);
  const free = await startSite(() => undefined);
  free.close();
  const answer = `(_request, response) => response.end(${JSON.stringify(page)})`;
  writeFileSync(
    join(folder, 'start.ts'),
    `import { createServer } from 'node:http'; createServer(${answer}).listen(process.env.PORT, 'localhost');`,
  );
  const site = free.url.replace('127.0.0.1', 'localhost');
  const { port } = new URL(busy.url);
  expectRefusal(
    ['mf-pricing', '--site', site, '--start', 'start.ts', '--port', port],
    /^dev: Port \d+ is not available \(EADDRINUSE\)\. Name another one with --port\.$/,
  );
  await assert.rejects(fetch(site));
});

test('dev: forms and page reports do not reach the site, and events no other origin', async () => {
  const requested: (string | undefined)[] = [];
  await using site = await startSite(({ url }, response) => {
    requested.push(url);
    response.end(page);
  });
  const lines: string[] = [];
  const server = await start(site.url, [remote], (line) => lines.push(line));
  const request = (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  requested.length = 0;
  lines.length = 0;
  try {
    const lead = await request('/api/contact', { method: 'POST', body: '{}' });
    assert.match(await lead.text(), /"Thank you\. \(Development: not sent\.\)"/);
    assert.deepEqual(lines, ['/api/contact: the form was not sent to the site']);
    assert.equal((await request('/api/page-reports', { method: 'POST', body: '{}' })).status, 204);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST']) {
      assert.equal((await request('/', { method })).status, 405);
    }
    const events = await request('/__development/events', { headers: { Origin: 'https://other.example' } });
    await events.body?.cancel();
    assert.equal(events.headers.get('content-type'), 'text/event-stream;charset=utf-8');
    assert.equal(events.headers.get('access-control-allow-origin'), null);
    assert.equal(events.headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.deepEqual(requested, []);
  } finally {
    await server.close();
  }
});

test('dev: no service worker, cookie or cached file of a site stays in the browser', async () => {
  const requested: (string | undefined)[] = [];
  await using site = await startSite(({ url }, response) => {
    requested.push(url);
    const headers = {
      'Content-Type': 'text/javascript',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Set-Cookie': 'theirs=1; Path=/; Max-Age=31536000',
      'Clear-Site-Data': '"storage"',
      'Service-Worker-Allowed': '/',
      'Strict-Transport-Security': 'max-age=31536000',
      Link: '</evil.js>; rel=preload',
    };
    response.writeHead(200, headers).end(page);
  });
  const server = await start(site.url, []);
  try {
    const url = `http://127.0.0.1:${server.port}/file.js`;
    const file = await fetch(url);
    assert.equal(await file.text(), page);
    const hopByHop = ['connection', 'date', 'keep-alive', 'transfer-encoding'];
    assert.deepEqual(
      [...file.headers].filter(([name]) => !hopByHop.includes(name)),
      [
        ['cache-control', 'no-store'],
        ['content-type', 'text/javascript'],
        ['cross-origin-resource-policy', 'same-origin'],
      ],
    );
    requested.length = 0;
    const worker = await fetch(url, { headers: { 'Service-Worker': 'script' } });
    assert.deepEqual([worker.status, requested], [403, []]);
    // DNS rebinding: a page of another origin whose host name leads to this machine.
    const rebound = get(url, { headers: { host: 'evil@localhost' }, agent: false });
    const [refused] = (await once(rebound, 'response')) as [IncomingMessage];
    refused.resume();
    assert.deepEqual([refused.statusCode, requested], [421, []]);
  } finally {
    await server.close();
  }
});

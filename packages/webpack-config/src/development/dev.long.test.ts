import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { startDevelopmentServer } from './development-server.ts';

const program = join(import.meta.dirname, 'dev.ts');
const noSite = 'http://localhost:1';
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

for (const { name, words, message } of [
  {
    name: 'an unknown part',
    words: ['mf-no'],
    message: /^dev: Unknown part "mf-no"\. Known parts: mf-other, /,
  },
  {
    name: 'a remote.ts that throws',
    words: ['mf-throws'],
    message: /remote\.ts cannot be loaded: no such thing$/,
  },
  { name: 'a remote.ts without a remote', words: ['mf-other'], message: /must export "remote"/ },
  { name: 'a site without a scheme', words: ['--site', 'localhost:3000'], message: /such as https:/ },
  { name: 'a port that is no number', words: ['--port', 'abc'], message: /number from 0 to 65535/ },
  {
    name: 'a site that is down',
    words: ['mf-pricing', '--site', noSite],
    message: /does not answer\. Name a site/,
  },
]) {
  test(`dev: refuses ${name} in one line`, () => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.match(stderr.trim(), message);
    assert.equal(stderr.trim().split('\n').length, 1);
    assert.equal(status, 1);
  });
}

test('dev: refuses a site program that is killed, instead of waiting for it', async () => {
  const free = createServer().listen(0);
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  writeFileSync(join(folder, 'start.ts'), `process.kill(process.pid, 'SIGKILL');`);
  const words = ['mf-pricing', '--site', `http://localhost:${port}`, '--start', 'start.ts'];
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(stderr.trim(), 'dev: start.ts ended with SIGKILL.');
  assert.equal(status, 1);
});

test('dev: refuses a site that accepts connections and never answers', async () => {
  await using silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const site = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [program, 'mf-pricing', '--site', site], { cwd: folder });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(errors.trim(), `dev: ${site}/?preview does not answer. Name a site with --site.`);
  assert.equal(code, 1);
});

const shell = { version: '1.0.0', scripts: [], styles: [] };
const release = { schemaVersion: 1, releaseId: 'r-0123456789ab', shell, remotes: {} };
const page = `<script type="application/json" id="${releaseDocumentElementId}">${JSON.stringify(release)}</script>`;

test('dev: says that a new remote has no slot in the page of the site', async () => {
  await using site = createServer((_request, response) => response.end(page)).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  const lines: string[] = [];
  const budget = { markup: 1, style: 1, script: 1 };
  const server = await startDevelopmentServer({
    remotes: [{ root: folder, remote: { name: 'mf-pricing', exposes: {}, hydration: {}, budget } }],
    site: `http://127.0.0.1:${port}`,
    port: 0,
    log: (line) => lines.push(line),
  });
  await server.close();
  assert(
    lines.some((line) => line.startsWith('mf-pricing has no slot in the page of http://127')),
    lines.join(),
  );
});

test('dev: nothing of a site stays in the browser: no service worker, cookie or cached file', async () => {
  const requested: (string | undefined)[] = [];
  await using site = createServer(({ url }, response) => {
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
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const server = await startDevelopmentServer({
    remotes: [],
    site: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    port: 0,
    log: () => undefined,
  });
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
    const rebound = get(url, { headers: { host: 'evil@localhost' }, agent: false });
    const [refused] = (await once(rebound, 'response')) as [IncomingMessage];
    refused.resume();
    assert.deepEqual([refused.statusCode, requested], [421, []]);
  } finally {
    await server.close();
  }
});

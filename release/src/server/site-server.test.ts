import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { builtRemote } from './testing/built-part.ts';
import { serveSite } from './testing/served-site.ts';

const forPeople = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const script = '/mf-pricing/1.0.0/exposed.js';
const decoded = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes: Buffer) => bytes,
} as const;

test('the page is at the root, with or without a query, and is asked for on every view', async () => {
  await using site = await serveSite();
  const html = await readFile(join(site.objects.rootDirectory, 'index.html'), 'utf8');
  for (const path of ['/', '/?utm_source=mail']) {
    const { status, headers, body } = await site.ask(path);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(body.toString(), html);
  }
});

test('a browser that has the newest page is told so without a body, and gets the next one after a flip', async () => {
  await using site = await serveSite();
  const { etag } = (await site.ask('/')).headers;
  assert(etag);
  const again = await site.ask('/', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);

  await site.publish(builtRemote('mf-pricing', '1.0.10'));
  await site.flip({ 'mf-pricing': '1.0.10' });
  const next = await site.ask('/', { headers: { 'if-none-match': etag } });
  assert.equal(next.status, 200);
  assert.match(next.body.toString(), /mf-pricing\/1\.0\.10/);
});

test('a published file may be kept for good', async () => {
  await using site = await serveSite();
  const { status, headers, body } = await site.ask(script);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(body.toString(), '/* modules of mf-pricing 1.0.0 */');
});

test('a public file is at the root of the site, and is asked for every time', async () => {
  await using site = await serveSite();
  const { status, headers, body } = await site.ask('/robots.txt');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal(body.toString(), 'User-agent: *');
});

test('a version that is published while the server runs can be had', async () => {
  await using site = await serveSite();
  assert.equal((await site.ask('/mf-pricing/1.1.0/entry.js')).status, 404);
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  assert.equal((await site.ask('/mf-pricing/1.1.0/entry.js')).status, 200);
});

for (const [accepted, encoding] of [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['deflate', 'identity'],
  ['', 'identity'],
] as const) {
  test(`a browser that accepts "${accepted}" gets ${encoding}, and caches keep it apart`, async () => {
    await using site = await serveSite();
    for (const [path, file] of [
      ['/', join(site.objects.rootDirectory, 'index.html')],
      [script, join(site.objects.pathOf('parts'), script)],
      ['/nowhere', join(site.objects.rootDirectory, '404.html')],
    ] as const) {
      const { headers, body } = await site.ask(path, {
        headers: { ...forPeople, 'accept-encoding': accepted },
      });
      assert.equal(headers['content-encoding'] ?? 'identity', encoding, path);
      assert.equal(headers.vary, 'Accept-Encoding', path);
      assert.equal(decoded[encoding](body).toString(), await readFile(file, 'utf8'), path);
    }
  });
}

for (const path of [
  '/pricing',
  '/404.html',
  '/index.html',
  '/index.html.br',
  '/mf-pricing/',
  '/apiary',
  '//404.html',
]) {
  test(`a person at ${path} gets the 404 page, with status 404`, async () => {
    await using site = await serveSite();
    const { status, headers, body } = await site.ask(path, { headers: forPeople });
    assert.equal(status, 404);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(body.toString(), await readFile(join(site.objects.rootDirectory, '404.html'), 'utf8'));
  });
}

test('a script that asks for a missing file gets no page that it could mistake for one', async () => {
  await using site = await serveSite();
  const { status, headers, body } = await site.ask('/mf-pricing/9.9.9/entry.js', {
    headers: { accept: '*/*' },
  });
  assert.equal(status, 404);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(body.toString(), 'Not found.');
});

for (const method of ['POST', 'PUT', 'DELETE']) {
  test(`${method} is refused where there is only something to read`, async () => {
    await using site = await serveSite();
    const { status, headers, body } = await site.ask('/', { method });
    assert.equal(status, 405);
    assert.equal(headers.allow, 'GET, HEAD');
    assert.equal(body.toString(), 'This address can only be read.');
  });
}

test('HEAD says what GET would, without the body', async () => {
  await using site = await serveSite();
  for (const [path, expected] of [
    ['/', 200],
    [script, 200],
    ['/nowhere', 404],
  ] as const) {
    const { status, headers, body } = await site.ask(path, { method: 'HEAD', headers: forPeople });
    assert.equal(status, expected);
    assert.match(headers['content-type'] ?? '', /^text\//);
    assert.equal(body.length, 0);
  }
});

for (const path of [
  '/../live.json',
  '/..%2flive.json',
  '/%2e%2e/live.json',
  '/mf-pricing/../../live.json',
  '/mf-pricing/..%2f..%2flive.json',
  '/..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
  '/../../../../../../../etc/passwd',
  '/..\\live.json',
  '/../pages/index.html',
  '/%00',
  '/%',
  '/..%2f..',
]) {
  test(`${path} leads to no file outside of what is published`, async () => {
    await using site = await serveSite();
    const { status, body } = await site.ask(path);
    assert.equal(status, 400);
    assert.equal(body.toString(), 'This address cannot be read.');
  });
}

test('an address that makes no sense is answered, and the server goes on', async () => {
  await using site = await serveSite();
  for (const [path, status] of [
    ['//', 404],
    ['//[', 404],
    ['///', 404],
    ['http://[', 400],
    ['http://site:port/', 400],
  ] as const) {
    assert.equal((await site.ask(path)).status, status, path);
  }
  assert.equal((await site.ask('/')).status, 200);
});

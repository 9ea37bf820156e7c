import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { builtRemote } from '../testing/built-part.ts';
import { serveSite } from '../testing/served-site.ts';

const forPeople = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const script = '/mf-pricing/1.0.0/exposed.js';
const decoded = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes: Buffer) => bytes,
} as const;

test('pages: the root responds with the page, which is always revalidated', async () => {
  await using site = await serveSite();
  const html = await readFile(join(site.objects.rootDirectory, 'index.html'), 'utf8');
  for (const path of ['/', '/?utm_source=mail']) {
    const { status, headers, body } = await site.request(path);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(body.toString(), html);
  }
});

test('pages: 304 for the current page, 200 after a deploy', async () => {
  await using site = await serveSite();
  const { etag } = (await site.request('/')).headers;
  assert(etag);
  const again = await site.request('/', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);

  await site.release({ 'mf-pricing': '1.0.10' });
  const next = await site.request('/', { headers: { 'if-none-match': etag } });
  assert.equal(next.status, 200);
  assert.match(next.body.toString(), /mf-pricing\/1\.0\.10/);
});

test('published files: cached as immutable', async () => {
  await using site = await serveSite();
  const { status, headers, body } = await site.request(script);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(body.toString(), '/* modules of mf-pricing 1.0.0 */');
});

test('public files: served at the root and in .well-known, and always revalidated', async () => {
  await using site = await serveSite();
  for (const [path, content] of [
    ['/robots.txt', /^User-agent: \*$/],
    ['/.well-known/security.txt', /^Contact: /],
  ] as const) {
    const { status, headers, body } = await site.request(path);
    assert.equal(status, 200, path);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.match(body.toString(), content);
  }
  assert.equal((await site.request('/.well-known/other.txt')).status, 404);
  assert.equal((await site.request('/.headers.json')).status, 404);
});

test('published files: a version published while the server runs is served', async () => {
  await using site = await serveSite();
  assert.equal((await site.request('/mf-pricing/1.1.0/entry.js')).status, 404);
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  assert.equal((await site.request('/mf-pricing/1.1.0/entry.js')).status, 200);
});

for (const [accepted, encoding] of [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['deflate', 'identity'],
  ['', 'identity'],
] as const) {
  test(`compression: Accept-Encoding "${accepted}" gets ${encoding}, with Vary`, async () => {
    await using site = await serveSite();
    for (const [path, file] of [
      ['/', join(site.objects.rootDirectory, 'index.html')],
      [script, join(site.objects.pathOf('parts'), script)],
      ['/nowhere', join(site.objects.rootDirectory, '404.html')],
    ] as const) {
      const { headers, body } = await site.request(path, {
        headers: { ...forPeople, 'accept-encoding': accepted },
      });
      assert.equal(headers['content-encoding'] ?? 'identity', encoding, path);
      assert.match(String(headers.vary), /^Accept-Encoding(, Available-Dictionary)?$/, path);
      assert.equal(decoded[encoding](body).toString(), await readFile(file, 'utf8'), path);
    }
  });
}

test('404: a request for a missing file gets no HTML', async () => {
  await using site = await serveSite();
  const { status, headers, body } = await site.request('/mf-pricing/9.9.9/entry.js', {
    headers: { accept: '*/*' },
  });
  assert.equal(status, 404);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(body.toString(), 'Not found.');
});

test('HEAD has the headers of GET, without a body', async () => {
  await using site = await serveSite();
  for (const [path, expected] of [
    ['/', 200],
    [script, 200],
    ['/nowhere', 404],
  ] as const) {
    const { status, headers, body } = await site.request(path, { method: 'HEAD', headers: forPeople });
    assert.equal(status, expected);
    assert.match(headers['content-type'] ?? '', /^text\//);
    assert.equal(body.length, 0);
  }
});

const unreadable = { status: 400, type: 'text/plain; charset=utf-8', text: 'This address cannot be read.' };
const notFound = { status: 404, type: 'text/html; charset=utf-8' };
const readOnly = {
  status: 405,
  type: 'text/plain; charset=utf-8',
  text: 'This address takes GET, HEAD only.',
};

for (const [what, { status, type, text }, requests] of [
  [
    'addresses without a page get the 404 page',
    notFound,
    ['/pricing', '/404.html', '/index.html', '/index.html.br', '/mf-pricing/', '/apiary'],
  ],
  [
    'records and claims of versions have no address',
    notFound,
    ['/versions/mf-pricing/1.0.0.json', '/claims/mf-pricing/1.0.0'],
  ],
  [
    'addresses with an empty segment get it as well',
    notFound,
    ['//', '//404.html', '//[', '///', '/mf-pricing/1.0.0//entry.js'],
  ],
  [
    'so do releases that do not exist',
    notFound,
    ['r-000000000000', 'current', '', '../current', 'r-0', '%00', '%2e%2e%2flive.json'].map(
      (release) => `/?release=${release}`,
    ),
  ],
  [
    'no path leads to an unpublished file',
    notFound,
    [
      '/../live.json',
      '/..%2flive.json',
      '/mf-pricing/..%2f..%2flive.json',
      '/..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/..\\live.json',
      '/../pages/index.html',
      '/%00',
      '/%',
    ],
  ],
  ['malformed URLs get a response', unreadable, ['http://[', 'http://site:port/']],
  ['other methods get 405 outside /api', readOnly, ['POST /', 'PUT /', 'DELETE /']],
] as readonly (readonly [string, { status: number; type: string; text?: string }, readonly string[]])[]) {
  test(`local server: ${what}, and it keeps running`, async () => {
    await using site = await serveSite();
    const page = await readFile(join(site.objects.rootDirectory, '404.html'), 'utf8');
    for (const each of requests) {
      const [path = '', method = 'GET'] = each.split(' ').reverse();
      const answer = await site.request(path, { method, headers: forPeople });
      assert.equal(answer.status, status, each);
      assert.equal(answer.headers['content-type'], type, each);
      assert.equal(answer.headers['cache-control'], 'no-cache', each);
      assert.equal(answer.headers.allow, status === 405 ? 'GET, HEAD' : undefined, each);
      assert.equal(answer.body.toString(), text ?? page, each);
    }
    assert.equal((await site.request('/')).status, 200);
  });
}

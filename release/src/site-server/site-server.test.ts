import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { builtRemote } from '../testing/built-part.ts';
import { serveSite } from '../testing/served-site.ts';

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const script = '/mf-pricing/1.0.0/exposed.js';
const decoded = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes: Buffer) => bytes,
} as const;

/** The site of the tests that leave the live release as it is. */
const site = await serveSite();
after(() => site[Symbol.asyncDispose]());
const fileOf = (name: string) => readFile(site.objects.pathOf(`current/${name}`), 'utf8');

test('pages: always revalidated, with framing and permissions policies', async () => {
  for (const [path, file] of [
    ['/', 'index.html'],
    ['/?utm_source=mail', 'index.html'],
    ['/nowhere', '404.html'],
  ] as const) {
    const { headers, body } = await site.request(path, { headers: asBrowser });
    assert.equal(body.toString(), await fileOf(file));
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
    assert.match(String(headers['permissions-policy']), /camera=\(\)/);
    assert.equal(headers['integrity-policy'], 'blocked-destinations=(script)');
  }
});

test('pages: 304 for the current page, 200 after a deploy', async () => {
  await using own = await serveSite();
  const { etag } = (await own.request('/')).headers;
  assert(etag);
  const again = await own.request('/', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  // A condition of changes does not keep anybody from reading.
  assert.equal((await own.request('/', { headers: { 'if-match': '"other"' } })).status, 200);

  await own.release({ 'mf-pricing': '1.0.10' });
  const next = await own.request('/', { headers: { 'if-none-match': etag } });
  assert.equal(next.status, 200);
  assert.match(next.body.toString(), /mf-pricing\/1\.0\.10/);
});

const immutable = 'public, max-age=31536000, immutable';
for (const [path, type, caching, embedding, content] of [
  [script, 'text/javascript', immutable, 'same-origin', /^\/\* modules of mf-pricing 1\.0\.0 \*\/$/],
  ['/robots.txt', 'text/plain', 'no-cache', 'cross-origin', /^User-agent: \*$/],
  ['/.well-known/security.txt', 'text/plain', 'no-cache', 'cross-origin', /^Contact: /],
  ['/mf-pricing/9.9.9/entry.js', 'text/plain', 'no-cache', 'same-origin', /^Not found\.$/],
  ['/.well-known/other.txt', 'text/plain', 'no-cache', 'same-origin', /^Not found\.$/],
  ['/.headers.json', 'text/plain', 'no-cache', 'same-origin', /^Not found\.$/],
] as const) {
  test(`files: ${path} is ${caching}, and can do nothing in the site`, async () => {
    const { status, headers, body } = await site.request(path, { headers: { accept: '*/*' } });
    assert.match(body.toString(), content);
    assert.equal(status, body.toString() === 'Not found.' ? 404 : 200);
    assert.equal(headers['content-type'], `${type}; charset=utf-8`);
    assert.equal(headers['cache-control'], caching);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-security-policy'], 'sandbox');
    assert.equal(headers['cross-origin-resource-policy'], embedding);
  });
}

test('files: a version published while the server runs is served', async () => {
  const path = '/mf-pricing/1.1.0/entry.js';
  assert.equal((await site.request(path)).status, 404);
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  assert.equal((await site.request(path)).status, 200);
});

test('files: the name of a remote may have digits', async () => {
  await site.objects.overwrite('parts/mf-faq2/1.0.0/entry.js', Buffer.from('/* entry */'));
  assert.equal((await site.request('/mf-faq2/1.0.0/entry.js')).status, 200);
});

test('headers: Strict-Transport-Security is sent over HTTPS only', async () => {
  for (const path of ['/', script, '/nowhere']) {
    const encrypted = await site.request(path, { headers: { ...asBrowser, 'x-forwarded-proto': 'https' } });
    assert.equal(encrypted.headers['strict-transport-security'], 'max-age=31536000');
    const plain = await site.request(path, { headers: asBrowser });
    assert.equal(plain.headers['strict-transport-security'], undefined);
  }
});

test('pages: 500 and a warning if a file of the release is damaged', async () => {
  await using own = await serveSite();
  await writeFile(own.objects.pathOf('current/.headers.json'), '{');
  const { status, headers, body } = await own.request('/');
  assert.equal(status, 500);
  assert.equal(headers['cache-control'], 'no-cache');
  assert.match(body.toString(), /^This cannot be shown now\./);
  assert.match(own.warnings.join('\n'), /^GET \/ could not be answered: .*JSON.*\.$/);
  assert.equal((await own.request(script)).status, 200);
});

test('?release= responds with that release’s page, whatever is live', async () => {
  await using own = await serveSite();
  const before = await own.store.liveStore.read();
  const first = await own.request('/');
  const { releaseId } = await own.release({ 'mf-pricing': '1.1.0' });

  const replayed = await own.request(`/?release=${before?.release.releaseId}`);
  assert.equal(replayed.status, 200);
  assert.equal(replayed.body.toString(), first.body.toString());
  assert.equal(replayed.headers['content-security-policy'], first.headers['content-security-policy']);
  assert.equal(replayed.headers['cache-control'], 'no-cache');

  const liveAnswer = await own.request('/');
  assert.notEqual(liveAnswer.body.toString(), first.body.toString());
  assert.equal((await own.request(`/?release=${releaseId}`)).body.toString(), liveAnswer.body.toString());
});

test('?preview responds with the preview page of the live release, or of a stored one', async () => {
  const liveId = (await site.store.liveStore.read())?.release.releaseId;
  for (const path of ['/?preview', '/?preview=', `/?release=${liveId}&preview`]) {
    const { status, headers, body } = await site.request(path);
    assert.equal(status, 200, path);
    assert.match(String(headers['content-security-policy']), /script-src 'self' http:\/\/localhost:\*/, path);
    assert.match(body.toString(), /http:\/\/localhost:\*/, path);
  }
});

for (const [accepted, encoding] of [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip, br;q=0', 'gzip'],
  ['deflate', 'identity'],
  ['', 'identity'],
] as const) {
  test(`compression: Accept-Encoding "${accepted}" gets ${encoding}, with Vary`, async () => {
    for (const [path, file] of [
      ['/', site.objects.pathOf('current/index.html')],
      [script, join(site.objects.pathOf('parts'), script)],
      ['/nowhere', site.objects.pathOf('current/404.html')],
    ] as const) {
      const { headers, body } = await site.request(path, {
        headers: { ...asBrowser, 'accept-encoding': accepted },
      });
      assert.equal(headers['content-encoding'] ?? 'identity', encoding, path);
      assert.match(String(headers.vary), /^Accept-Encoding(, Available-Dictionary)?$/, path);
      assert.equal(decoded[encoding](body).toString(), await readFile(file, 'utf8'), path);
    }
  });
}

test('HEAD has the headers of GET, without a body', async () => {
  for (const [path, expected] of [
    ['/', 200],
    [script, 200],
    ['/nowhere', 404],
  ] as const) {
    const { status, headers, body } = await site.request(path, { method: 'HEAD', headers: asBrowser });
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
    'addresses with an empty segment get the 404 page',
    notFound,
    ['//', '//404.html', '//[', '///', '/mf-pricing/1.0.0//entry.js'],
  ],
  [
    'releases that do not exist get the 404 page',
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
  test(`site server: ${what}, and it keeps running`, async () => {
    const page = await fileOf('404.html');
    for (const each of requests) {
      const [path = '', method = 'GET'] = each.split(' ').reverse();
      const answer = await site.request(path, { method, headers: asBrowser });
      assert.equal(answer.status, status, each);
      assert.equal(answer.headers['content-type'], type, each);
      assert.equal(answer.headers['cache-control'], 'no-cache', each);
      assert.equal(answer.headers.allow, status === 405 ? 'GET, HEAD' : undefined, each);
      assert.equal(answer.body.toString(), text ?? page, each);
    }
    assert.equal((await site.request('/')).status, 200);
  });
}

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { contentTypes } from '../platform/content-types.ts';
import { objectHeaders } from '../store/object-headers.ts';
import { builtRemote } from '../testing/built-part.ts';
import { sendRequest, type RawResponse } from '../testing/send-request.ts';
import { startStubService } from '../testing/stub-service.ts';
import { startNginx, type RunningNginx } from '../testing/running-nginx.ts';
import { configWithContact, serveSite, type ServedSite } from '../testing/served-site.ts';

const page = { accept: 'text/html,*/*;q=0.8' };
const encrypted = { ...page, 'x-forwarded-proto': 'https' };

/** Headers that both servers must send. Others depend on the server's HTTP implementation. */
const compared = [
  'access-control-allow-origin',
  'allow',
  'cache-control',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'integrity-policy',
  'permissions-policy',
  'referrer-policy',
  'retry-after',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
] as const;

function essence({ status, headers, body }: RawResponse) {
  const said = compared.map((name) => [name, String(headers[name] ?? 'none').replace(/;\s*/g, ';')]);
  return { status, ...Object.fromEntries(said), body: body.toString() };
}

async function assertSameAnswers(
  site: ServedSite,
  nginx: RunningNginx,
  path: string,
  question: Parameters<typeof sendRequest>[2],
): Promise<void> {
  const ours = await site.request(path, question);
  const theirs = await sendRequest(nginx.port, path, question);
  assert.deepEqual(essence(theirs), essence(ours), `${question?.method} ${path}`);
}

test('nginx answers every address as the local server does, with the same headers', async () => {
  await using service = await startStubService((_request, response) => response.end('Thank you'));
  await using site = await serveSite(service.origin);
  const first = (await site.store.readLive())?.release.releaseId;
  // HTML files of a part are ordinary files, with any name.
  await site.publish(builtRemote('mf-pricing', '1.1.0', { 'index.html': '<!doctype html>' }));
  await site.deploy({ 'mf-pricing': '1.1.0' }, configWithContact);
  await site.objects.overwrite('board/index.html', Buffer.from('For teams only'));
  await using nginx = await startNginx(site.directory, service.port);

  for (const [path, headers, method] of [
    ['/', page],
    ['/', encrypted],
    ['/?utm_source=mail', page],
    [`/?release=${first}`, page],
    ['/?release=r-000000000000', page],
    ['/?release=', page],
    ['/?release=../current', page],
    ['/?preview', page],
    [`/?preview&release=${first}`, page],
    [`/?release=${first}&preview=`, page],
    ['/?preview&release=', page],
    [`/?preview&RELEASE=${first}`, page],
    [`/?RELEASE=${first}`, page],
    [`/?release=current&release=${first}`, page],
    ['/?release=x:no:', page],
    ['/?release', page],
    ['/?release&preview', page],
    [`/?r%65lease=${first}`, page],
    [`/?preview&%72elease=${first}`, page],
    ['/?%70review', page],
    [`/?x?&release=${first}`, page],
    ['/?preview&release=x:no:', page],
    ['/preview.html', page],
    ['/?previews=1', page],
    ['/robots.txt', { accept: '*/*' }],
    ['/.well-known/security.txt', { accept: '*/*' }],
    ['/.well-known/other.txt', { accept: '*/*' }],
    ['/.well-known/', page],
    ['/.headers.json', { accept: '*/*' }],
    ['/mf-pricing/1.1.0/entry.js', { accept: '*/*' }],
    ['/mf-pricing/1.1.0/entry.js', { origin: 'https://app.example' }],
    ['/mf-pricing/1.1.0/exposed.css', encrypted],
    ['/mf-pricing/1.1.0/index.html', page],
    ['/mf-pricing/9.9.9/entry.js', { accept: '*/*' }],
    ['/mf-pricing/1.1.0/entry.js/', page],
    ['/mf-pricing/1.1.0//entry.js', page],
    ['/mf-pricing//1.1.0/entry.js', page],
    ['/robots.txt/', page],
    ['/mf-pricing/', page],
    ['/mf-pricing/1.1.0', page],
    ['/board/index.html', page],
    ['/mf-pricing/../../board/index.html', page],
    ['/nowhere', page],
    ['/nowhere', encrypted],
    ['/404.html', page],
    ['/index.html', page],
    ['/.headers.json', page],
    ['/live.json', page],
    ['/versions/mf-pricing/1.0.0.json', page],
    ['/claims/mf-pricing/1.0.0', page],
    ['/apiary', page],
    ['/api', {}],
    ['/api/contact', encrypted],
    ['/api/contact', {}, 'POST'],
    ['/', page, 'POST'],
    ['/mf-pricing/1.1.0/entry.js', {}, 'DELETE'],
    ['/nowhere', page, 'PUT'],
    ['/', page, 'HEAD'],
    ['/api/../admin/inbox', page],
    ['/api/..%2fadmin/inbox', page, 'POST'],
    ['/mf-pricing/../mf-pricing/1.1.0/entry.js', encrypted],
    ['/mf-pricing/%2e%2e/live.json', page],
    ['/../../etc/passwd', page],
    ['/..\\live.json', page],
    ['/%', page],
    ['/%00', page],
    ['//', page],
    ['//robots.txt', page],
    ['//api/contact', {}],
    ['/%61pi/contact', {}],
    ['/mf-pricing/1.1.0/%65ntry.js', {}],
    ['/?x=/../', page],
  ] as const) {
    const question = { headers, method: method ?? 'GET' };
    await assertSameAnswers(site, nginx, path, question);
  }
});

test('nginx and the local server answer partial, conditional and compressed requests alike', async () => {
  await using site = await serveSite();
  await using nginx = await startNginx(site.directory, 9);
  for (const path of ['/mf-pricing/1.0.0/exposed.js', '/robots.txt', '/', '/nowhere']) {
    for (const [name, value] of [
      ['range', 'bytes=0-0'],
      ['range', 'bytes=0-3'],
      ['range', 'bytes=4-'],
      ['range', 'bytes=-5'],
      ['range', 'bytes=2-99999'],
      ['range', 'bytes=99999-'],
      ['range', 'lines=1-2'],
      ['if-range', ({ etag }) => `"x${String(etag)}"`],
      ['if-range', (headers) => String(headers['last-modified'])],
      ['if-range', () => 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ['if-none-match', ({ etag }) => String(etag)],
      ['if-none-match', ({ etag }) => `"x", ${String(etag)}`],
      ['if-none-match', () => '"x"'],
      ['accept-encoding', 'gzip;q=0'],
      ['accept-encoding', 'gzip; q=0.5'],
      ['accept-encoding', 'x-gzip2'],
      ...(nginx.brotli
        ? ([
            ['accept-encoding', 'br;q=0'],
            ['accept-encoding', 'br;q=0, gzip'],
            ['accept-encoding', 'brotli'],
          ] as const)
        : []),
    ] as readonly (readonly [string, string | ((headers: RawResponse['headers']) => string)])[]) {
      const answers = [site.port, nginx.port].map(async (port) => {
        const { headers: plain } = await sendRequest(port, path, { headers: page });
        const sent = typeof value === 'string' ? value : value(plain);
        const range = name === 'if-range' ? { range: 'bytes=1-2' } : {};
        const answer = await sendRequest(port, path, { headers: { ...page, ...range, [name]: sent } });
        const { headers, body } = answer;
        const [encoding, part] = [headers['content-encoding'], headers['content-range']];
        const text = answer.status === 416 ? '' : body.toString('latin1');
        return { status: answer.status, encoding, part, text };
      });
      const [ours, theirs] = await Promise.all(answers);
      assert.deepEqual(ours, theirs, `${path}, ${name}: ${String(value)}`);
    }
  }
});

test('nginx and the local server refuse a request with two Host headers', async () => {
  await using site = await serveSite();
  await using nginx = await startNginx(site.directory, 9);
  for (const port of [site.port, nginx.port]) {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 .*\bThis address cannot be read\./s);
  }
});

test('content types: local server, nginx and bucket send the same, but a bucket no documents of parts', async () => {
  const types = new Map([...Object.entries(contentTypes), ['.unknown', 'application/octet-stream']]);
  // Declarations are not videos, and browsers must not sniff any type.
  assert.equal(types.get('.ts'), 'text/plain; charset=utf-8');
  // Source maps are not published.
  const published = [...types.keys()].filter((extension) => extension !== '.map');
  const names = published.map((extension) => `file${extension}`);
  const files = Object.fromEntries(names.map((name) => [name, '<svg xmlns="http://www.w3.org/2000/svg"/>']));
  await using site = await serveSite();
  await site.publish(builtRemote('mf-header', '1.0.0', { ...files, 'contract/remotes.d.ts': 'export {};' }));
  await using nginx = await startNginx(site.directory, 9);
  for (const name of [...names, 'contract/remotes.d.ts']) {
    const path = `/mf-header/1.0.0/${name}`;
    const expected = types.get(extname(name));
    const [ours, theirs] = [await site.request(path), await sendRequest(nginx.port, path)];
    assert.equal(ours.headers['content-type'], expected, `the local server, ${name}`);
    assert.equal(theirs.headers['content-type'], expected, `nginx, ${name}`);
    // The two servers send the policy `sandbox` with them.
    const isDocument = /\.(?:html|xml)$/.test(name);
    assert.equal(
      objectHeaders(`parts${path}`).ContentType,
      isDocument ? 'text/plain; charset=utf-8' : expected,
      `a bucket, ${name}`,
    );
    assert.deepEqual(essence(theirs), essence(ours), name);
  }
});

test('nginx answers 404 for a withdrawn version and its pages, without a reload', async () => {
  await using site = await serveSite();
  const { releaseId } = await site.release({ 'mf-pricing': '1.1.0' });
  await using nginx = await startNginx(site.directory, 9);
  const paths = [`/?release=${releaseId}`, '/mf-pricing/1.1.0/entry.js', '/mf-pricing/1.1.0/exposed.css'];
  const answers = () =>
    Promise.all(paths.map(async (path) => (await sendRequest(nginx.port, path, { headers: page })).status));
  assert.deepEqual(await answers(), [200, 200, 200]);
  await site.change({ kind: 'rollback', part: 'mf-pricing', withdraw: true });
  assert.deepEqual(await answers(), [404, 404, 404]);
  for (const path of paths) {
    await assertSameAnswers(site, nginx, path, { headers: page });
  }
});

test('nginx sends the compressed copies that lie in the store', async () => {
  await using site = await serveSite();
  await using nginx = await startNginx(site.directory, 9);
  for (const [encoding, decode] of [
    ['gzip', gunzipSync],
    ...(nginx.brotli ? ([['br', brotliDecompressSync]] as const) : []),
  ] as const) {
    for (const path of ['/', '/mf-pricing/1.0.0/exposed.js', '/nowhere']) {
      const plain = await sendRequest(nginx.port, path, { headers: page });
      const { headers, body } = await sendRequest(nginx.port, path, {
        headers: { ...page, 'accept-encoding': encoding },
      });
      assert.equal(headers['content-encoding'], encoding, path);
      assert.match(String(headers.vary), /^Accept-Encoding(, Available-Dictionary)?$/, path);
      assert.equal(decode(body).toString(), plain.body.toString(), path);
    }
  }
});

test('a release shows in nginx at once, with a policy that lets it run, and with its own after a reload', async () => {
  await using site = await serveSite();
  await using nginx = await startNginx(site.directory, 9);
  await site.release({ 'mf-pricing': '1.1.0' });
  const policy = async (port?: number) => {
    const answer = await (port === undefined ? site.request('/') : sendRequest(port, '/'));
    assert.match(answer.body.toString(), /mf-pricing\/1\.1\.0/);
    return String(answer.headers['content-security-policy']);
  };
  const meanwhile = await policy(nginx.port);
  assert.match(meanwhile, /frame-ancestors 'none'/);
  assert.doesNotMatch(meanwhile, /script-src|style-src|default-src/);

  await nginx.reload();
  const own = await policy();
  for (let asked = 1; (await policy(nginx.port)) !== own; asked += 1) {
    assert(asked < 1000, 'nginx never learnt of the new policy');
  }
});

test('nginx: an unavailable service gives the same response as the local server', async () => {
  await using site = await serveSite();
  await using nginx = await startNginx(site.directory, 9);
  const question = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  await assertSameAnswers(site, nginx, '/api/contact', question);
});

test('an answer of the service passes through nginx untouched', async () => {
  await using service = await startStubService((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'x-lead': 'none' });
    response.end('There is no such form.');
  });
  await using site = await serveSite(service.origin);
  await using nginx = await startNginx(site.directory, service.port);
  const answer = await sendRequest(nginx.port, '/api/nothing', { headers: page });
  assert.equal(answer.status, 404);
  assert.equal(answer.headers['x-lead'], 'none');
  assert.equal(answer.headers['content-security-policy'], undefined);
  assert.equal(answer.body.toString(), 'There is no such form.');
});

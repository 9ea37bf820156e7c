import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtShell, templateOf } from '../testing/built-part.ts';
import { serveSite } from '../testing/served-site.ts';

const site = await serveSite();
after(() => site[Symbol.asyncDispose]());
const own = {
  'document.html': templateOf('<p>new</p>'),
  'public/new.txt': 'new',
  'public/robots.txt': 'new',
};
await site.publish(builtShell('1.1.0', own));
await site.change({ kind: 'canary', versions: { shell: '1.1.0' }, percent: 10 });

/** The answer to a visitor: the version of the shell that runs, the group of the page, and the headers. */
async function visit(cookie?: string, path = '/', more: Readonly<Record<string, string>> = {}) {
  const { status, headers, body } = await site.request(path, {
    headers: { ...(cookie && { cookie }), ...more },
  });
  const html = body.toString();
  const [, script] = /<script src="\/shell\/([^/]+)\//.exec(html) ?? [];
  const [, group] = /"group":"(\w+)"/.exec(html) ?? [];
  return { shown: [script, group], html, status, headers };
}

test('shell canary: a first view shows the stable version, without group, and sets a share', async () => {
  const { shown, html, headers } = await visit();
  assert.deepEqual(shown, ['1.0.0', undefined]);
  assert.match(html, /"canary":\{"version":"1\.1\.0","percent":10\}/);
  const attributes = 'Path=/; Max-Age=604800; HttpOnly; SameSite=Lax';
  assert.match(String(headers['set-cookie']), new RegExp(`^countersign-share=\\d{1,2}; ${attributes}$`));
  assert.match(String(headers.vary), /, Cookie$/);
  const secure = await visit(undefined, '/', { 'x-forwarded-proto': 'https' });
  assert.match(String(secure.headers['set-cookie']), /; Secure$/);
});

for (const [cookie, shown] of [
  ['countersign-share=9', ['1.1.0', 'canary']],
  ['a=b; countersign-share=0; c=d', ['1.1.0', 'canary']],
  ['countersign-share=10', ['1.0.0', 'stable']],
  ['countersign-share=99', ['1.0.0', 'stable']],
] as const) {
  test(`shell canary: "${cookie}" shows ${shown.join(', ')}`, async () => {
    const found = await visit(cookie);
    assert.deepEqual(found.shown, shown);
    assert.equal(found.headers['set-cookie'], undefined);
    assert.equal(found.html.includes('<p>new</p>'), shown[1] === 'canary');
    assert.match(
      found.html,
      new RegExp(`Policy" content="[^"]* shell@${shown[0].replaceAll('.', '\\.')}[ "]`),
    );
  });
}

for (const cookie of ['countersign-share=100', 'countersign-share=', 'x-countersign-share=1']) {
  test(`shell canary: "${cookie}" is no share, and gets a new one`, async () => {
    const { shown, headers } = await visit(cookie);
    assert.deepEqual(shown, ['1.0.0', undefined]);
    assert(headers['set-cookie']);
  });
}

test('shell canary: an address that asks for it gets it without a cookie', async () => {
  const { shown, headers } = await visit(undefined, '/?variant=shell@1.1.0');
  assert.deepEqual([...shown, headers['set-cookie']], ['1.1.0', 'canary', undefined]);
  assert.deepEqual((await visit('countersign-share=99', '/?variant=shell@1.0.0')).shown, ['1.0.0', 'stable']);
});

test('shell canary: the tag of one page does not stand for another', async () => {
  const { etag = '' } = (await visit('countersign-share=0')).headers;
  const again = { 'if-none-match': etag };
  assert.equal((await visit('countersign-share=0', '/', again)).status, 304);
  assert.equal((await visit('countersign-share=99', '/', again)).status, 200);
});

test('shell canary: its public files are served unless the stable version has the same', async () => {
  assert.equal((await site.request('/new.txt')).body.toString(), 'new');
  assert.equal((await site.request('/robots.txt')).body.toString(), 'User-agent: *');
});

test('shell canary: once it is rolled back, everybody gets the stable page, without cookies', async () => {
  await site.change({ kind: 'rollback', versions: { shell: undefined } });
  const { shown, headers } = await visit('countersign-share=0');
  assert.deepEqual([...shown, headers['set-cookie']], ['1.0.0', undefined, undefined]);
  assert.doesNotMatch(String(headers.vary), /Cookie/);
  assert.equal(headers['cache-control'], 'no-cache');
});

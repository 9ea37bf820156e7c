import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { serveSite, type ServedSite } from '../testing/served-site.ts';
import { applyDelta, createDelta, deltaName, dictionaryName } from '../store/delta-file.ts';

/** Text that compresses little, as code that a browser has not seen. */
const code = (word: string) =>
  Array.from({ length: 400 }, (_, index) => createHash('sha256').update(String(index)).digest('hex')).join(
    word,
  );

/**
 * A site with two versions of pricing, one after the other. The page has large styles of the shell, so that its difference is worth
 * storing.
 */
async function serveTwoVersions(): Promise<ServedSite> {
  const site = await serveSite();
  const version = (name: string, word: string) =>
    builtRemote('mf-pricing', name, {
      'entry.js': code(word),
      'exposed.css': `.a{color:red}/*${code('')}*/`,
    });
  await site.publish(
    version('2.0.0', ';'),
    version('2.1.0', ','),
    builtShell('2.0.0', { 'shell.css': `/*${code(';')}*/` }),
  );
  await site.deploy({ shell: '2.0.0' });
  await site.deploy({ 'mf-pricing': '2.0.0' });
  await site.deploy({ 'mf-pricing': '2.1.0' });
  return site;
}

const chromium = { 'sec-ch-ua': '"Not A;Brand";v="8", "Chromium";v="156"', accept: 'text/html' };

const asking = (dictionary: Uint8Array, headers: Readonly<Record<string, string>> = {}) => ({
  headers: {
    'accept-encoding': 'gzip, br, dcb',
    'available-dictionary': `:${dictionaryName(dictionary)}:`,
    ...headers,
  },
});

const oldEntry = Buffer.from(code(';'));
const entry = '/mf-pricing/2.1.0/entry.js';

test('deltas: a file is given back, by the browser’s name for the dictionary', async () => {
  const [content, dictionary] = [Buffer.from(code(',')), oldEntry];
  const { name, bytes } = await createDelta('entry.js', content, dictionary);
  assert.equal(name, `deltas/${createHash('sha256').update(dictionary).digest('base64')}/entry.js`);
  assert(bytes.length < 600, String(bytes.length));
  // Its header names the dictionary, so that browsers apply it to no other file.
  assert.equal(Buffer.from(bytes.subarray(4, 36)).toString('base64'), dictionaryName(dictionary));
  assert.deepEqual(await applyDelta(bytes, dictionary), content);
  await assert.rejects(applyDelta(bytes.subarray(0, -1), dictionary));
});

test("deltas: the site server sends the difference from the browser's copy, and all headers", async () => {
  await using site = await serveTwoVersions();
  const known = await site.request(entry, asking(oldEntry));
  assert.equal(known.headers['content-encoding'], 'dcb');
  assert.equal(known.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(known.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(known.headers['use-as-dictionary'], 'match="/mf-pricing/*/entry.js"');
  assert.equal(known.headers.vary, 'Accept-Encoding, Available-Dictionary');
  assert(known.body.length < 600, String(known.body.length));
  assert.equal((await applyDelta(known.body, oldEntry)).toString(), code(','));

  for (const other of [
    asking(Buffer.from('unknown')),
    asking(oldEntry, { 'accept-encoding': 'gzip' }),
    asking(oldEntry, { 'available-dictionary': ':../../../1.0.0/entry.js:' }),
  ]) {
    assert.notEqual((await site.request(entry, other)).headers['content-encoding'], 'dcb');
  }
  // The entry of before is a dictionary for later entries only.
  const otherFile = await site.request('/mf-pricing/2.1.0/exposed.css', asking(oldEntry));
  assert.notEqual(otherFile.headers['content-encoding'], 'dcb');
  const { status } = await site.request(
    `/mf-pricing/2.1.0/${deltaName(dictionaryName(oldEntry), 'entry.js')}`,
  );
  assert.equal(status, 404);
});

test('deltas: the site server sends the difference to the entry bundle that the browser has', async () => {
  await using site = await serveTwoVersions();
  const bundled = (version: string, word: string) =>
    (['mf-header', 'mf-pricing'] as const).map((name) =>
      builtRemote(name, version, { 'entry.js': `self["${name}@${version}"]="${code(word)}"` }),
    );
  await site.publish(...bundled('3.0.0', ';'), ...bundled('3.1.0', ','));
  const bundle = async () => {
    const { body } = await site.request('/');
    return /\/entries\.\w+\.js/.exec(body.toString())?.[0] ?? '';
  };
  await site.deploy({ 'mf-header': '3.0.0', 'mf-pricing': '3.0.0' });
  const old = (await site.request(await bundle())).body;
  await site.deploy({ 'mf-pricing': '3.1.0' });
  const path = await bundle();
  const seen = await site.request(path, asking(old));
  assert.equal(seen.headers['content-encoding'], 'dcb');
  assert.equal(seen.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(seen.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(seen.headers['use-as-dictionary'], 'match="/entries.*.js"');
  assert.equal(seen.headers.vary, 'Accept-Encoding, Available-Dictionary');
  assert(seen.body.length < 700, String(seen.body.length));
  const whole = await site.request(path);
  assert.equal(whole.headers['use-as-dictionary'], 'match="/entries.*.js"');
  assert.deepEqual(await applyDelta(seen.body, old), whole.body);
  assert.deepEqual(await site.verify(), []);
});

test('deltas: Chromium gets the page as its difference, also with another query', async () => {
  await using site = await serveTwoVersions();
  const page = (await site.request('/', { headers: chromium })).body;
  const seen = await site.request('/?utm_source=mail', asking(page, chromium));
  assert.equal(seen.headers['content-encoding'], 'dcb');
  assert.equal(seen.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(seen.headers['cache-control'], 'private, stale-while-revalidate=2592000');
  assert.equal(seen.headers['use-as-dictionary'], 'match="/", match-dest=("document"), id="page"');
  assert.match(String(seen.headers['content-security-policy']), /script-src/);
  assert(seen.body.length < 100, String(seen.body.length));
  assert.deepEqual(await applyDelta(seen.body, page), page);

  const others = await site.request('/', { headers: { accept: 'text/html' } });
  assert.equal(others.headers['cache-control'], 'no-cache');
  assert.equal(others.headers['use-as-dictionary'], undefined);
  const { releaseId } = (await site.store.liveStore.read())?.release ?? {};
  for (const path of ['/?preview', `/?release=${releaseId}`, '/nowhere']) {
    const { headers } = await site.request(path, { headers: chromium });
    assert.equal(headers['cache-control'], 'no-cache', path);
    assert.equal(headers['use-as-dictionary'], undefined, path);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveSite } from '../testing/served-site.ts';

const forPeople = { accept: 'text/html' };
const part = '/mf-pricing/1.0.0/exposed.js';

test('headers: both pages have framing and permissions policies', async () => {
  await using site = await serveSite();
  for (const path of ['/', '/nowhere']) {
    const { headers } = await site.request(path, { headers: forPeople });
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
    assert.match(String(headers['permissions-policy']), /camera=\(\)/);
    assert.equal(headers['integrity-policy'], 'blocked-destinations=(script)');
  }
});

test('headers: files have nosniff and a policy that allows nothing', async () => {
  await using site = await serveSite();
  for (const [path, policy] of [
    [part, 'same-origin'],
    ['/robots.txt', 'cross-origin'],
    ['/mf-pricing/1.0.0/missing.js', 'same-origin'],
  ] as const) {
    const { headers } = await site.request(path);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.equal(headers['content-security-policy'], 'sandbox', path);
    assert.equal(headers['cross-origin-resource-policy'], policy, path);
  }
});

test('headers: Strict-Transport-Security is sent over HTTPS only', async () => {
  await using site = await serveSite();
  for (const path of ['/', part, '/nowhere']) {
    const encrypted = await site.request(path, { headers: { ...forPeople, 'x-forwarded-proto': 'https' } });
    assert.equal(encrypted.headers['strict-transport-security'], 'max-age=31536000');
    const plain = await site.request(path, { headers: forPeople });
    assert.equal(plain.headers['strict-transport-security'], undefined);
  }
});

test('?release= responds with that release’s page, whatever is live', async () => {
  await using site = await serveSite();
  const before = await site.store.readLive();
  const first = await site.request('/');
  const { releaseId } = await site.release({ 'mf-pricing': '1.1.0' });

  const replayed = await site.request(`/?release=${before?.release.releaseId}`);
  assert.equal(replayed.status, 200);
  assert.equal(replayed.body.toString(), first.body.toString());
  assert.equal(replayed.headers['content-security-policy'], first.headers['content-security-policy']);
  assert.equal(replayed.headers['cache-control'], 'no-cache');

  const live = await site.request('/');
  assert.notEqual(live.body.toString(), first.body.toString());
  assert.equal((await site.request(`/?release=${releaseId}`)).body.toString(), live.body.toString());
});

test('?preview responds with the preview page of the live release, or of a stored one', async () => {
  await using site = await serveSite();
  const live = (await site.store.readLive())?.release.releaseId;
  for (const path of ['/?preview', '/?preview=', `/?release=${live}&preview`]) {
    const { status, headers, body } = await site.request(path);
    assert.equal(status, 200, path);
    assert.match(String(headers['content-security-policy']), /script-src 'self' http:\/\/localhost:\*/, path);
    assert.match(body.toString(), /http:\/\/localhost:\*/, path);
  }
});

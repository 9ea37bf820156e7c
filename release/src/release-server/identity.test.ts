import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateKeyPair, UnsecuredJWT } from 'jose';
import { startTokenIssuer } from '../testing/token-issuer.ts';
import { newToken, readIdentities } from './identities-file.ts';
import { createIdentify } from './identity.ts';

const audience = 'https://release.example.com';

test('identity: tokens of listed issuers and hashed tokens are accepted, and nothing else', async () => {
  let isDown = true;
  await using service = await startTokenIssuer({}, () => isDown);
  const { issuer, sign, jwk } = service;
  const { token, identity } = newToken('anna');
  const claims = { repository: 'acme/pricing', ref: 'refs/heads/main' };
  const listed = [identity, { name: 'pricing-ci', issuer, claims }];
  const identify = createIdentify(
    () => listed,
    () => audience,
  );
  const good = { ...claims, aud: audience, sha: 'c0ffee', workflow_ref: 'w' };

  await assert.rejects(async () => identify(await sign(good)));
  isDown = false;
  assert.deepEqual(await identify(await sign(good)), 'pricing-ci');
  assert.deepEqual(await identify(token), 'anna');
  // The name is never read from a token.
  assert.equal(await identify(await sign({ ...good, name: 'anna', sub: 'anna' })), 'pricing-ci');
  const { privateKey: otherKey } = await generateKeyPair('RS256');
  const secret = new TextEncoder().encode(JSON.stringify(jwk));
  const exp = Math.floor(Date.now() / 1000) + 300;
  for (const [reason, refused] of [
    ['none', ''],
    ['another token', newToken('anna').token],
    ['its own hash', identity.tokenHash],
    ['another repository', await sign({ ...good, repository: 'acme/leads' })],
    ['a claim that is missing', await sign({ ...good, ref: undefined })],
    ['a claim that is a list', await sign({ ...good, repository: ['acme/pricing'] })],
    ['another audience', await sign({ ...good, aud: 'https://other.example.com' })],
    ['another issuer', await sign({ ...good, iss: 'https://issuer.example.com' })],
    ['expired', await sign({ ...good, exp: exp - 360 })],
    ['another key', await sign(good, { key: otherKey })],
    ['alg none', new UnsecuredJWT({ ...good, iss: issuer, exp }).encode()],
    ['a symmetric alg', await sign(good, { alg: 'HS256', key: secret })],
    ['no expiry', await sign({ ...good, exp: undefined })],
  ] as const) {
    assert.equal(await identify(refused), undefined, reason);
  }
  const byNewKey = await sign(good, { kid: 'new' });
  await assert.rejects(async () => identify(byNewKey), { status: 503 });
  listed.shift();
  assert.equal(await identify(token), undefined, 'a removed releaser');
});

test('identities: a file that could let strangers in is refused', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'identities-'));
  const file = join(folder.path, 'identities.json');
  const tokenHash = 'a'.repeat(64);
  for (const content of [
    '{',
    [{ name: '*', tokenHash }],
    [{ name: '', tokenHash }],
    [{ name: 'anna\u001b[2J', tokenHash }],
    [{ name: 'anna', tokenHash: 'A'.repeat(64) }],
    [{ name: 'anna', token: 'plain' }],
    [{ name: 'ci', issuer: 'https://issuer.example', claims: {} }],
    [{ name: 'ci', issuer: 'http://issuer.example', claims: { sub: 'a' } }],
    [{ name: 'ci', issuer: 'https://issuer.example', tokenHash, claims: { sub: 'a' } }],
  ]) {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    assert.throws(() => readIdentities(file), /is not a valid list of identities/, JSON.stringify(content));
  }
  assert.throws(() => newToken('*'), /The name must be/);
});

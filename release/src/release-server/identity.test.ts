import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { startStubService } from '../testing/stub-service.ts';
import { newToken, readIdentities } from './identities-file.ts';
import { createIdentify } from './identity.ts';

const audience = 'https://release.example.com';

test('identity: tokens of listed issuers and hashed tokens are accepted, and nothing else', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const other = await generateKeyPair('RS256');
  const jwk = await exportJWK(publicKey);
  let isDown = false;
  await using service = await startStubService((request, response) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    const content = isDiscovery
      ? { issuer: service.origin, jwks_uri: `${service.origin}/keys` }
      : { keys: [{ ...jwk, alg: 'RS256', kid: 'old' }] };
    response.writeHead(isDown ? 500 : 200).end(JSON.stringify(isDown ? {} : content));
  });
  const issuer = service.origin;
  const { token, identity } = newToken('anna');
  const listed = [
    identity,
    { name: 'pricing-ci', issuer, claims: { repository: 'acme/pricing', ref: 'refs/heads/main' } },
  ];
  const createOwn = () =>
    createIdentify(
      () => listed,
      () => audience,
    );
  const identify = createOwn();
  const good = { repository: 'acme/pricing', ref: 'refs/heads/main', sha: 'c0ffee', workflow_ref: 'w' };
  const sign = (claims: JWTPayload, to = audience, expires = '5m', key = privateKey, from = issuer) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(from)
      .setAudience(to)
      .setExpirationTime(expires)
      .sign(key);

  isDown = true;
  await assert.rejects(async () => identify(await sign(good)));
  isDown = false;
  assert.deepEqual(await identify(await sign(good)), 'pricing-ci');
  assert.deepEqual(await identify(token), 'anna');
  // The name is never read from a token.
  assert.equal(await identify(await sign({ ...good, name: 'anna', sub: 'anna' })), 'pricing-ci');
  const endless = { ...good, iss: issuer, aud: audience };
  const payload = { ...endless, exp: Math.floor(Date.now() / 1000) + 300 };
  const secret = new TextEncoder().encode(JSON.stringify(jwk));
  for (const [reason, refused] of [
    ['none', ''],
    ['another token', newToken('anna').token],
    ['its own hash', 'tokenHash' in identity ? identity.tokenHash : ''],
    ['another repository', await sign({ ...good, repository: 'acme/leads' })],
    ['a claim that is missing', await sign({ repository: 'acme/pricing' })],
    ['a claim that is a list', await sign({ ...good, repository: ['acme/pricing'] })],
    ['another audience', await sign(good, 'https://other.example.com')],
    ['another issuer', await sign(good, audience, '5m', privateKey, 'https://issuer.example.com')],
    ['expired', await sign(good, audience, '-1m')],
    ['another key', await sign(good, audience, '5m', other.privateKey)],
    ['alg none', new UnsecuredJWT(payload).encode()],
    ['a symmetric alg', await new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(secret)],
    ['no expiry', await new SignJWT(endless).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)],
  ] as const) {
    assert.equal(await identify(refused), undefined, reason);
  }
  const byNewKey = new SignJWT(good).setProtectedHeader({ alg: 'RS256', kid: 'new' }).setIssuer(issuer);
  const unknown = await byNewKey.setAudience(audience).setExpirationTime('5m').sign(privateKey);
  await assert.rejects(async () => identify(unknown), { status: 503 });
  listed.shift();
  assert.equal(await identify(token), undefined, 'a removed releaser');
});

test('identities: a file that could let strangers in is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'identities-'));
  const file = join(folder, 'identities.json');
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
  await rm(folder, { recursive: true });
});

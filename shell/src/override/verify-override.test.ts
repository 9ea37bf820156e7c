import { generateKeyPairSync, sign, webcrypto, type KeyObject } from 'node:crypto';
import { TextDecoder, TextEncoder } from 'node:util';
import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { sampleRelease } from '../testing/sample-release.ts';
import { applyOverride } from './apply-override.ts';
import { clearOverrideToken, readOverrideToken } from './override-token.ts';
import { verifyOverride } from './verify-override.ts';

// jsdom lacks these APIs.
Object.assign(globalThis, { TextDecoder, TextEncoder });
Object.defineProperty(globalThis.crypto, 'subtle', { value: webcrypto.subtle });

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const siteKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
const now = Date.UTC(2026, 10, 21);

const override: DeveloperOverride = {
  site: 'http://localhost',
  part: 'mf-pricing',
  version: {
    version: '1.1.0',
    globalName: 'mf-pricing@1.1.0',
    entry: { url: 'http://localhost:4000/entry.js', integrity: `sha256-${'a'.repeat(43)}=` },
    exposes: {},
  },
  expires: now + 60_000,
};

function tokenFor(content: unknown, key: KeyObject = privateKey): string {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
  const signature = sign('sha256', Buffer.from(payload), { key, dsaEncoding: 'ieee-p1363' });
  return `${payload}.${signature.toString('base64url')}`;
}

/** Reads and verifies the token, like the page. */
async function readOverride(key: string | undefined, at: number): Promise<DeveloperOverride | undefined> {
  const token = readOverrideToken();
  return token === undefined || key === undefined ? undefined : verifyOverride(token, key, at);
}

function visit(token?: string): void {
  history.replaceState(
    null,
    '',
    `/?utm_source=letter${token === undefined ? '' : `&override=${token}`}#pricing`,
  );
}

beforeEach(() => {
  sessionStorage.clear();
  visit();
});

test('override: a valid token is removed from the URL and survives a reload', async () => {
  visit(tokenFor(override));
  expect(await readOverride(siteKey, now)).toEqual(override);
  expect(location.href).toBe('http://localhost/?utm_source=letter#pricing');
  expect(await readOverride(siteKey, now)).toEqual(override);
});

test('it ends when it is dropped', async () => {
  visit(tokenFor(override));
  await readOverride(siteKey, now);
  clearOverrideToken();
  expect(await readOverride(siteKey, now)).toBeUndefined();
});

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const [payload = '', signature = ''] = tokenFor(override).split('.');
const altered = Buffer.from(JSON.stringify({ ...override, part: 'mf-leads' })).toString('base64url');

test.each([
  ['that has expired', tokenFor({ ...override, expires: now })],
  ['for another site', tokenFor({ ...override, site: 'https://staging.example' })],
  ['for another port of this host', tokenFor({ ...override, site: 'http://localhost:3000' })],
  ['that names no site', tokenFor({ ...override, site: undefined })],
  ['that somebody else has signed', tokenFor(override, other)],
  ['that was altered after it was signed', `${altered}.${signature}`],
  ['without a signature', payload],
  ['that is no token', 'please'],
  [
    'with files from elsewhere',
    tokenFor({
      ...override,
      version: {
        ...override.version,
        entry: { ...override.version.entry, url: 'https://evil.example/entry.js' },
      },
    }),
  ],
  [
    'with files of another site',
    tokenFor({
      ...override,
      version: { ...override.version, entry: { ...override.version.entry, url: '//evil.example/entry.js' } },
    }),
  ],
])('an override %s is not shown, and leaves the address all the same', async (_what, token) => {
  visit(token);
  expect(await readOverride(siteKey, now)).toBeUndefined();
  expect(location.search).toBe('?utm_source=letter');
  expect(await readOverride(siteKey, now)).toBeUndefined();
});

test('override: a site without a key accepts none', async () => {
  visit(tokenFor(override));
  expect(await readOverride(undefined, now)).toBeUndefined();
});

test('override: replaces the part, with the live version as fallback', () => {
  const live = { ...override.version, version: '1.0.0' };
  const release = sampleRelease({ 'mf-pricing': { live, canary: { version: live, percent: 10 } } });
  expect(applyOverride(release, override).remotes).toEqual({
    'mf-pricing': { live: override.version, previous: live },
  });
});

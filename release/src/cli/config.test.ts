import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withSettings } from '@countersign/contracts/settings';
import { siteConfig, type SiteConfig } from '@countersign/contracts/site-config';
import { sampleSiteConfig } from '../testing/temporary-store.ts';
import { readConfig, settings } from './config.ts';

test('configuration: without settings, all is on this machine, and of its user', () => {
  const { host, releaseServer, store, releaser, remoteServer } = readConfig({});
  assert.deepEqual([host, releaseServer.host], ['127.0.0.1', '127.0.0.1']);
  const directory = join(import.meta.dirname, '..', '..', '..', '.data', 'site');
  assert.deepEqual(store, { kind: 'directory', directory });
  assert.deepEqual([releaser, remoteServer], [userInfo().username, undefined]);
});

test('configuration: a setting of the site is told from its default', () => {
  const { resolveSiteConfig } = readConfig({ SITE_ORIGIN: 'https://www.example/' });
  const siteOrigin = 'https://www.example';
  assert.deepEqual(resolveSiteConfig(sampleSiteConfig), { ...sampleSiteConfig, siteOrigin });
  assert.equal(resolveSiteConfig(undefined).siteOrigin, siteOrigin);
});

test('configuration: settings of the site have one order, of which the release ID is a hash', () => {
  const environment = { PRIVACY_URL: 'https://www.example/privacy' };
  const before = { ...sampleSiteConfig, helpUrl: 'https://www.example/help' };
  const resolved = readConfig(environment).resolveSiteConfig(before);
  const stored = siteConfig.parse(resolved);
  const again = readConfig({}).resolveSiteConfig(stored);
  assert.equal(JSON.stringify(again), JSON.stringify(resolved));
});

test('configuration: CONSENT_TEXT needs a PRIVACY_URL, which the live page may have', () => {
  const siteOf = (environment: NodeJS.ProcessEnv, before?: Partial<SiteConfig>) =>
    readConfig(environment).resolveSiteConfig({ ...sampleSiteConfig, ...before });
  const privacyUrl = 'https://www.example.com/privacy';
  const consentText = 'You may write to me.';
  assert.equal(siteOf({ CONSENT_TEXT: consentText }, { privacyUrl }).consentText, consentText);
  for (const [environment, before] of [
    [{ CONSENT_TEXT: consentText }, {}],
    [{ PRIVACY_URL: 'none' }, { privacyUrl, consentText }],
  ] as const)
    assert.throws(() => siteOf(environment, before), /^ReleaseError: CONSENT_TEXT needs PRIVACY_URL/);
});

test('configuration: the store can be a bucket, with a prefix', () => {
  const location = { kind: 's3', bucket: 'releases', prefix: 'public/site/', endpoint: undefined };
  assert.deepEqual(readConfig({ STORE_URL: 's3://releases/public/site' }).store, location);
});

test('configuration: all errors are reported together', () => {
  const invalid = { PORT: 'http', DATA_DIR: '', SITE_ORIGIN: 'https://a.example/path', STORE_URL: 's3://A' };
  assert.throws(() => readConfig(invalid), {
    name: 'ReleaseError',
    message: [
      'PORT must be a whole number from 0 to 65535, but is "http".',
      'DATA_DIR is empty. Set it, or remove it.',
      'SITE_ORIGIN must be the origin of the site, such as https://www.example.com.',
      'STORE_URL must name a bucket, such as s3://releases or s3://releases/site.',
    ].join(' '),
  });
  assert.throws(() => readConfig({ REPORTS_URL: 'http://127.0.0.1:3002' }), /must be set together/);
});

test('configuration: docs/operate.md documents the settings', () => {
  const document = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs/operate.md'), 'utf8');
  assert.ok(
    document === withSettings(document, settings),
    'docs/operate.md is outdated. Run "npm run settings".',
  );
});

test('configuration: other text than a token is refused without being shown', () => {
  for (const token of ['token: release_x', 'release_x\n{"name":"anna"}', 'release_l…'])
    assert.throws(
      () => readConfig({ RELEASE_TOKEN: token }),
      (error: Error) =>
        /^RELEASE_TOKEN must be the token alone/.test(error.message) && !error.message.includes('release_'),
    );
});

test('configuration: a token goes by HTTPS, or stays on this machine', () => {
  for (const url of ['https://release.example', 'http://127.0.0.1:3004', 'http://localhost:3004']) {
    assert.equal(readConfig({ RELEASE_URL: url }).remoteServer?.url, url);
  }
  for (const url of ['http://release.example', 'http://127.0.0.1.example', 'https://release.example/x']) {
    assert.throws(() => readConfig({ RELEASE_URL: url }), /^ReleaseError: RELEASE_URL must be the https:/);
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withSettings } from '@countersign/contracts/settings';
import { readConfig, settings } from './config.ts';
import { ReleaseError } from './store/release-error.ts';

test('configuration: defaults work on a developer’s machine', () => {
  const dataDirectory = join(import.meta.dirname, '..', '..', '.data');
  assert.deepEqual(readConfig({}), {
    port: 3000,
    host: '127.0.0.1',
    leadsPort: 3001,
    boardPort: 3003,
    reports: undefined,
    dataDirectory,
    sendsDeltas: true,
    store: { kind: 'directory', directory: join(dataDirectory, 'site') },
    s3Endpoint: undefined,
    site: {
      appHost: 'https://app.countersign.example',
      siteOrigin: 'https://www.countersign.example',
      defaultTheme: 'system',
    },
    releaser: userInfo().username,
    ownersFile: join(import.meta.dirname, '..', 'owners.json'),
    browser: { browserPath: undefined, path: '' },
    explicitSite: {},
    remote: undefined,
    releaseServer: { port: 3004, host: '127.0.0.1', origin: undefined, identitiesFile: undefined },
  });
});

test('configuration: every setting can be set', () => {
  const environment = {
    PORT: '0',
    SITE_HOST: '0.0.0.0',
    LEADS_PORT: '65535',
    BOARD_PORT: '8103',
    REPORTS_URL: 'http://10.0.0.1:3002',
    REPORTS_TOKEN: 'leads_secret',
    DATA_DIR: '/var/lib/site',
    APP_HOST: 'http://localhost:8080',
    SITE_ORIGIN: 'https://www.example',
    DEFAULT_THEME: 'light',
    RELEASER: 'pricing-team',
    OWNERS_FILE: '/etc/site/owners.json',
    DELTAS: 'off',
    BROWSER_PATH: '/opt/chromium',
    PATH: '/bin',
    RELEASE_URL: 'https://release.example/',
    RELEASE_TOKEN: 'release_secret',
    RELEASE_PORT: '8104',
    RELEASE_HOST: '::',
    RELEASE_ORIGIN: 'https://release.example',
    IDENTITIES_FILE: '/etc/site/identities.json',
  };
  assert.deepEqual(readConfig(environment), {
    port: 0,
    host: '0.0.0.0',
    leadsPort: 65535,
    boardPort: 8103,
    reports: { url: 'http://10.0.0.1:3002', token: 'leads_secret' },
    dataDirectory: '/var/lib/site',
    sendsDeltas: false,
    store: { kind: 'directory', directory: '/var/lib/site/site' },
    s3Endpoint: undefined,
    site: { appHost: 'http://localhost:8080', siteOrigin: 'https://www.example', defaultTheme: 'light' },
    releaser: 'pricing-team',
    ownersFile: '/etc/site/owners.json',
    explicitSite: {
      appHost: 'http://localhost:8080',
      siteOrigin: 'https://www.example',
      defaultTheme: 'light',
    },
    browser: { browserPath: '/opt/chromium', path: '/bin' },
    remote: { url: 'https://release.example', token: 'release_secret', actions: undefined },
    releaseServer: {
      port: 8104,
      host: '::',
      origin: 'https://release.example',
      identitiesFile: '/etc/site/identities.json',
    },
  });
});

for (const [url, bucket, prefix] of [
  ['s3://releases', 'releases', ''],
  ['s3://releases/', 'releases', ''],
  ['s3://releases/site', 'releases', 'site/'],
  ['s3://releases/public/site/', 'releases', 'public/site/'],
] as const) {
  test(`the store can be a bucket: ${url}`, () => {
    const endpoint = 'http://127.0.0.1:7480';
    assert.deepEqual(readConfig({ STORE_URL: url, S3_ENDPOINT: endpoint }).store, {
      kind: 's3',
      bucket,
      prefix,
      endpoint,
    });
  });
}

test('a slash after an origin makes no difference', () => {
  const { site } = readConfig({ APP_HOST: 'https://app.example/', SITE_ORIGIN: 'https://www.example/' });
  assert.equal(site.appHost, 'https://app.example');
  assert.equal(site.siteOrigin, 'https://www.example');
});

const portMessage = (value: string) => `PORT must be a whole number from 0 to 65535, but is "${value}".`;
const hostMessage = 'APP_HOST must be the origin of the application, such as https://app.example.com.';
const siteMessage = 'SITE_ORIGIN must be the origin of the site, such as https://www.example.com.';
const themeMessage = 'DEFAULT_THEME must be "system" or "light".';
const folderMessage = 'DATA_DIR is empty. Set it, or remove it.';
const sharedMessage = 'PORT and LEADS_PORT must differ.';
const reportsMessage = 'REPORTS_URL must be the origin of the admin API, such as http://127.0.0.1:3002.';

/** Error message for an environment. */
function messageOf(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment);
  } catch (error) {
    assert(error instanceof ReleaseError, String(error));
    return error.message;
  }
  return 'none';
}

const noPorts = ['http', '-1', '65536', '80.5', ''];
const noOrigins = [
  'app.example',
  'ftp://app.example',
  'https://app.example/login',
  'https://app.example/?from=site',
  'https://app.example/#login',
  'https://user:secret@app.example',
  '',
];

for (const [name, values, message] of [
  ['PORT', noPorts, portMessage],
  ['LEADS_PORT', noPorts, (value: string) => `LEADS_${portMessage(value)}`],
  ['APP_HOST', noOrigins, () => hostMessage],
  ['SITE_ORIGIN', noOrigins, () => siteMessage],
  ['DEFAULT_THEME', ['dark'], () => themeMessage],
  [
    'STORE_URL',
    ['', 'releases', 'https://releases.example', 's3://', 's3://Releases', 's3://releases/a b'],
    () => 'STORE_URL must name a bucket, such as s3://releases or s3://releases/site.',
  ],
  ['DATA_DIR', ['', ' '], () => folderMessage],
  ['REPORTS_URL', ['127.0.0.1:3002', 'http://127.0.0.1:3002/admin'], () => reportsMessage],
  ['REPORTS_URL', ['http://127.0.0.1:3002'], () => 'REPORTS_URL and REPORTS_TOKEN must be set together.'],
  [
    'RELEASER',
    ['A\u001b[2Jda', 'Ada\nroot', 'Ada\u202e'],
    () => 'RELEASER must be one line of text without control characters.',
  ],
] as const) {
  for (const value of values) {
    test(`configuration: ${name}=${JSON.stringify(value)} is refused`, () => {
      assert.equal(messageOf({ [name]: value }), message(value));
    });
  }
}

test('site, lead service and board cannot share a port, unless each takes a free one', () => {
  assert.equal(messageOf({ BOARD_PORT: '3000' }), 'PORT and BOARD_PORT must differ.');
  assert.equal(messageOf({ BOARD_PORT: '0', PORT: '0', LEADS_PORT: '0' }), 'none');
  assert.equal(messageOf({ PORT: '8080', LEADS_PORT: '8080' }), sharedMessage);
  assert.equal(messageOf({ PORT: '3001' }), sharedMessage);
  assert.equal(messageOf({ PORT: '0', LEADS_PORT: '0' }), 'none');
});

test('configuration: all errors are reported together', () => {
  assert.equal(
    messageOf({
      PORT: 'http',
      LEADS_PORT: '99999',
      DATA_DIR: '',
      SITE_ORIGIN: 'www.example',
      APP_HOST: 'app.example',
      DEFAULT_THEME: 'dark',
    }),
    `${portMessage('http')} LEADS_${portMessage('99999')} ${folderMessage} ${siteMessage} ${hostMessage} ${themeMessage}`,
  );
});

test('settings: docs/operate.md documents the variables', () => {
  const document = readFileSync(join(import.meta.dirname, '..', '..', 'docs/operate.md'), 'utf8');
  assert.ok(
    document === withSettings(document, settings),
    'docs/operate.md is outdated. Run "npm run settings".',
  );
});

test('RELEASE_TOKEN: other text than a token is refused without being shown', () => {
  for (const token of ['token: release_x', 'release_x\n{"name":"anna"}', 'release_l…'])
    assert.throws(
      () => readConfig({ RELEASE_TOKEN: token }),
      (error: Error) =>
        /^RELEASE_TOKEN must be the token alone/.test(error.message) && !error.message.includes('release_'),
    );
});

test('RELEASE_URL: a token goes by HTTPS, or stays on this machine', () => {
  for (const url of ['https://release.example', 'http://127.0.0.1:3004', 'http://localhost:3004']) {
    assert.equal(readConfig({ RELEASE_URL: url }).remote?.url, url);
  }
  for (const url of [
    'http://release.example',
    'http://127.0.0.1.example',
    'https://release.example/x',
    'ftp://a',
  ]) {
    assert.throws(() => readConfig({ RELEASE_URL: url }), /^ReleaseError: RELEASE_URL must be the https:/);
  }
});

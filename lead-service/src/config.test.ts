import assert from 'node:assert/strict';
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { withSettings } from '@countersign/contracts/settings';
import { createToken, hashToken, tokenSetting } from './admin/admin-token.ts';
import { readConfig, settings } from './config.ts';
import { databaseLocation } from './database/database-settings.ts';
import { deliveryConfig } from './delivery/delivery-settings.ts';
import { StartupError } from './platform/explained-error.ts';
import { webhookSecret } from './testing/webhook-receiver.ts';

const secret = 'thirty-two characters, all of them';
const repository = join(import.meta.dirname, '..', '..');

test('config: every setting can be set', () => {
  const url = 'postgresql://user:secret@db.example:5432/leads';
  const hash = hashToken(createToken());
  const environment = {
    ...{ DATA_DIR: '/srv/leads', DATABASE_URL: url, LEADS_SECRET: secret },
    ...{ LEADS_PORT: '0', LEADS_HOST: '::', TRUSTED_PROXY_HOPS: '2', LEADS_PER_ADDRESS: '10' },
    ALLOWED_ORIGINS: 'https://www.example.com, http://localhost:8080',
    ...{ SMTP_URL: 'smtps://user:hidden@smtp.example', SMTP_ALLOW_PLAIN: 'true' },
    ...{ MAIL_FROM: 'Site <site@example.org>', SALES_ADDRESS: 'sales@example.org' },
    ...{ SALES_ADDRESS_TRIAL: 't@example.org', SALES_ADDRESS_DEMO: 'd@example.org' },
    SALES_ADDRESS_CONTACT: 'c@example.org',
    WEBHOOKS:
      'crm=https://crm.example/hook?a=b, chat-room=http://chat:8080/in, slack:sales=https://slack.example/',
    WEBHOOK_SECRETS: `crm=${webhookSecret}, chat-room=${webhookSecret}, crm=whsec_${'b2xk'.repeat(8)}`,
    ...{ DELIVERY: 'off', DELIVERY_LEASE_SECONDS: '2' },
    ADMIN_TOKENS: tokenSetting({ name: 'ada', scopes: ['read', 'export'], hash }),
    ...{ ADMIN_HOST: '0.0.0.0', ADMIN_PORT: '0', METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' },
    ...{ RETENTION_DAYS: '365', LOG_FORMAT: 'text', STOP_DELAY_SECONDS: '3', LIVE_PAGE: 'site/index.html' },
  };
  assert.deepEqual(Object.keys(environment).sort(), Object.keys(settings.shape).sort());
  const config = readConfig(environment);
  assert.deepEqual(databaseLocation(config), { kind: 'postgres', url });
  assert.deepEqual(deliveryConfig(config), {
    ...{ enabled: false, leaseSeconds: 2 },
    mail: {
      ...{ smtpUrl: 'smtps://user:hidden@smtp.example', requireTls: false },
      from: 'Site <site@example.org>',
      salesAddresses: { trial: 't@example.org', demo: 'd@example.org', contact: 'c@example.org' },
    },
    webhooks: [
      {
        ...{ name: 'crm', url: 'https://crm.example/hook?a=b', format: undefined },
        secrets: [webhookSecret, `whsec_${'b2xk'.repeat(8)}`],
      },
      { name: 'chat-room', url: 'http://chat:8080/in', format: undefined, secrets: [webhookSecret] },
      { name: 'sales', url: 'https://slack.example/', format: 'slack', secrets: [] },
    ],
  });
  const { DATA_DIR, LEADS_SECRET, ALLOWED_ORIGINS, ADMIN_TOKENS, LEADS_PORT, LIVE_PAGE } = config;
  assert.deepEqual([DATA_DIR, LEADS_SECRET, LEADS_PORT], ['/srv/leads', secret, 0]);
  assert.deepEqual(ALLOWED_ORIGINS, ['https://www.example.com', 'http://localhost:8080']);
  assert.deepEqual(ADMIN_TOKENS, [{ name: 'ada', scopes: ['read', 'export'], hash }]);
  assert.equal(LIVE_PAGE, join(process.cwd(), 'site/index.html'));
});

/** Parts of all secrets in the environments that the tests below expect to be refused. */
const secretParts = /hidden|hid,den|c2hvcnQ|MfKQ/;

/** The message with which an environment is refused. Fails if the message quotes a secret. */
function refusalOf(environment: Record<string, string>): string {
  let message = '';
  assert.throws(
    () => readConfig(environment),
    (error) => error instanceof StartupError && (message = error.message) !== '',
  );
  assert.doesNotMatch(message, secretParts);
  return message;
}

const mail = { SMTP_URL: 'smtps://user:hidden@smtp.example', SALES_ADDRESS: 'sales@example.org' };
const oneWebhook = (address: string) => ({
  WEBHOOKS: `crm=${address}`,
  WEBHOOK_SECRETS: `crm=${webhookSecret}`,
});
const database = (rest: string) => ({ DATABASE_URL: `postgres://${rest}`, LEADS_SECRET: secret });
const token = tokenSetting({ name: 'ada', scopes: ['read'], hash: hashToken('hidden') });

for (const [environment, expected] of [
  [{ ALLOWED_ORIGINS: 'https://a.example,www.b.example' }, /^ALLOWED_ORIGINS entry 2 must be an origin/],
  [{ LEADS_SECRET: 'hidden' }, /^LEADS_SECRET must have at least 32 characters/],
  [{ DATABASE_URL: 'postgres://user:hidden@h/leads' }, /^LEADS_SECRET is missing/],
  [{ SMTP_URL: mail.SMTP_URL }, /^MAIL_FROM is missing.* SALES_ADDRESS is missing/],
  [{ ...mail, MAIL_FROM: 'a@example.org, b@example.org' }, /^MAIL_FROM must be one e-mail address/],
  [{ SALES_ADDRESS: 'sales@-.example' }, /^SALES_ADDRESS must be one e-mail address/],
  [{ ...mail, MAIL_FROM: 'Site <site>' }, /^MAIL_FROM must be one e-mail address/],
  [{ WEBHOOKS: 'teams:chat=https://chat.example' }, /^WEBHOOKS entry 1 must be a lower-case name/],
  [{ WEBHOOKS: 'https://crm.example' }, /^WEBHOOKS entry 1 must be a lower-case name and an address/],
  [oneWebhook('ftp://crm.example'), /^WEBHOOKS entry 1 must have an address such as https:/],
  [oneWebhook('http://8.8.8.8/'), /^WEBHOOKS entry 1 must begin with https/],
  [oneWebhook('https://user:hidden@crm.example/'), /^WEBHOOKS entry 1 must not contain a user or a password/],
  [{ WEBHOOKS: 'crm=https://crm.example' }, /^WEBHOOK_SECRETS has no secret of "crm"/],
  [
    { WEBHOOK_SECRETS: 'crm=whsec_c2hvcnQ=' },
    /^WEBHOOK_SECRETS entry 1 must be .* a secret of 24 to 64 bytes/,
  ],
  [
    { ...oneWebhook('https://crm.example'), WEBHOOK_SECRETS: `crm=${webhookSecret},crn=${webhookSecret}` },
    /^WEBHOOK_SECRETS names "crn", which WEBHOOKS lacks\./,
  ],
  [oneWebhook('https://a.example,crm=https://b.example'), /^WEBHOOKS contains a name twice/],
  [{ ADMIN_TOKENS: 'ada:read+hidden' }, /^ADMIN_TOKENS entry 1 must look like name:read\+write:hash/],
  [{ ADMIN_TOKENS: `${token},${token}` }, /^ADMIN_TOKENS contains a name twice/],
  [{ LIVE_PAGE: 's3://releases/current/index.html' }, /^LIVE_PAGE must look like https:/],
  [{ DATABASE_URL: '' }, /^DATABASE_URL is empty/],
  [database('user:hidden@h1:5290,h2:5291/leads'), /names several hosts\. Name one: put a proxy/],
  [database('user:hid,den@h1,h2:5291/leads'), /names several hosts/],
  [database('user:hidden@/leads?host=h1,h2'), /names several hosts/],
  [
    database('h1/leads?target_session_attrs=read-write'),
    /has the unknown parameter "target_session_attrs"\. Remove it/,
  ],
  [
    database('leads:Top?hidden99@h1/leads'),
    /has an unknown parameter, or a \? in the password: write it as %3F\.$/,
  ],
  [
    database('h1/leads?channel_binding=require&sslmode=no-verify'),
    /needs a checked certificate: add sslmode=require/,
  ],
  [database('h1/leads?sslmode=banana'), /must have an sslmode of disable, /],
  [{ DATABASE_URL: 'mysql://user:hidden@h/leads' }, /^DATABASE_URL must look like postgres:/],
  [database('user:hidden@:bad/leads'), /must look like postgres:/],
] as const) {
  test(`config: ${JSON.stringify(environment)} is refused with the reason and without secrets`, () => {
    assert.match(refusalOf(environment), expected);
  });
}

for (const [address, plain, requireTls] of [
  ['smtp://user:hidden@mail.example:587', 'false', true],
  ['smtp://user:hidden@localhost.mail.example', 'false', true],
  ['smtp://10.0.0.1', 'false', true],
  ['smtp://mail.internal', 'true', false],
  ['smtp://localhost:25', 'false', false],
  ['smtp://127.0.0.9', 'false', false],
  ['smtp://[::1]:2525', 'false', false],
] as const) {
  test(`config: SMTP_URL ${address} ${requireTls ? 'requires' : 'does not require'} TLS, SMTP_ALLOW_PLAIN=${plain}`, () => {
    const environment = { ...mail, MAIL_FROM: 'a@example.org', SMTP_URL: address, SMTP_ALLOW_PLAIN: plain };
    assert.equal(deliveryConfig(readConfig(environment)).mail.requireTls, requireTls);
  });
}

for (const [given, used] of [
  ['vertrieb@bücher.de', 'vertrieb@xn--bcher-kva.de'],
  ['Vertrieb <vertrieb@bücher.de>', 'Vertrieb <vertrieb@xn--bcher-kva.de>'],
  ['r&d@example.com', 'r&d@example.com'],
  ['s@mail', 's@mail'],
] as const) {
  test(`config: SALES_ADDRESS ${given} is accepted, like an address of a visitor`, () => {
    const { salesAddresses } = deliveryConfig(readConfig({ SALES_ADDRESS: given })).mail;
    assert.equal(salesAddresses.demo, used);
  });
}

test('config: WEBHOOKS accepts plain HTTP on this machine and on closed networks', () => {
  for (const address of ['http://10.0.0.1/', 'http://localhost:8080/', 'http://[::1]/']) {
    assert.equal(readConfig(oneWebhook(address)).WEBHOOKS[0]?.url, address);
  }
});

for (const [given, used] of [
  ['u:p,w@h/leads?sslmode=require', 'u:p,w@h/leads?sslmode=verify-full'],
  [
    'u:p@h/leads?sslmode=require&channel_binding=require',
    'u:p@h/leads?sslmode=verify-full&channel_binding=require',
  ],
  ['h/leads?sslmode=require&uselibpqcompat=true', 'h/leads?sslmode=require&uselibpqcompat=true'],
  ['/leads?host=/run/postgresql', '/leads?host=/run/postgresql'],
] as const) {
  test(`config: DATABASE_URL postgres://${given} connects to ${used}`, () => {
    const config = readConfig(database(given));
    assert.deepEqual(databaseLocation(config), { kind: 'postgres', url: `postgres://${used}` });
  });
}

test('config: DATA_DIR finds leads in the folder or its leads/, from any working directory', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'lead-service-'));
  const [site, alone, both, fresh] = ['site', 'alone', 'both', 'fresh'].map((name) => join(root.path, name));
  for (const folder of [join(site ?? '', 'leads'), alone, both, join(both ?? '', 'leads')]) {
    mkdirSync(folder ?? '', { recursive: true });
    writeFileSync(join(folder ?? '', 'leads.sqlite'), '');
  }
  const directoryOf = (DATA_DIR = '') => readConfig({ DATA_DIR }).DATA_DIR;
  for (const [value = '', expected] of [
    [site, join(site ?? '', 'leads')],
    [join(site ?? '', 'leads'), join(site ?? '', 'leads')],
    [alone, alone],
    [fresh, fresh],
  ] as const) {
    assert.equal(directoryOf(value), expected);
    assert.equal(directoryOf(relative(repository, value)), expected);
  }
  assert.equal(
    refusalOf({ DATA_DIR: both ?? '' }),
    `DATA_DIR is ambiguous: leads are in ${both}/leads and in ${both}. Set it to ${both}/leads, or move that folder away to use the other.`,
  );
});

test('settings: docs/lead-service/settings.md documents the variables', () => {
  const document = readFileSync(join(repository, 'docs/lead-service/settings.md'), 'utf8');
  assert.ok(
    document === withSettings(document, settings),
    'docs/lead-service/settings.md is outdated. Run "npm run settings".',
  );
});

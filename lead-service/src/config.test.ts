import assert from 'node:assert/strict';
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { brand } from '@countersign/contracts/brand';
import { withSettings } from '@countersign/environment/settings-tables';
import { readConfig, settings } from './config.ts';

const secret = 'thirty-two characters, all of them';
const repository = join(import.meta.dirname, '..', '..');
const defaults = {
  port: 3001,
  host: '127.0.0.1',
  dataDirectory: resolve(repository, '.data/leads'),
  database: { kind: 'sqlite', directory: resolve(repository, '.data/leads'), file: 'leads.sqlite' },
  secret: undefined,
  abuse: {
    trustedProxyHops: 0,
    allowedOrigins: [],
    reportQuotas: { address: 600, network: 2400 },
    quotas: { address: 600, network: 2400 },
  },
  delivery: {
    enabled: true,
    leaseSeconds: 60,
    mail: {
      smtpUrl: undefined,
      requireTls: true,
      from: `${brand} <hello@countersign.example>`,
      salesAddress: 'sales@countersign.example',
    },
    webhooks: [],
  },
  logFormat: 'json',
  logLevel: 'info',
  operations: {
    metrics: undefined,
    lateAfterSeconds: 600,
    stopDelaySeconds: 0,
    livePage: undefined,
  },
  admin: { tokens: [], address: { host: '127.0.0.1', port: 3002 }, trustedProxyHops: 0 },
  retention: { days: 0, quarantineDays: 0, pageReportDays: 400 },
};

test('config: an empty environment means port 3001 on localhost, leads below the repository', () => {
  assert.deepEqual(readConfig({}), { valid: true, config: defaults });
});

test('config: DATABASE_URL selects PostgreSQL, regardless of DATA_DIR', () => {
  const url = 'postgresql://user:secret@db.example:5432/leads';
  const result = readConfig({
    DATABASE_URL: url,
    DATA_DIR: '/srv/leads',
    LEADS_PORT: '0',
    LEADS_HOST: '::',
    LEADS_SECRET: secret,
    LOG_FORMAT: 'text',
  });
  const changed = {
    ...{ port: 0, host: '::', dataDirectory: '/srv/leads', database: { kind: 'postgres', url } },
    ...{ secret, logFormat: 'text' },
  };
  assert.deepEqual(result, { valid: true, config: { ...defaults, ...changed } });
});

for (const port of ['', 'http', '-1', '65536', '80.5', ' 80', '0x50', '1e3']) {
  test(`config: LEADS_PORT "${port}" is an error`, () => {
    assert.deepEqual(readConfig({ LEADS_PORT: port }), {
      valid: false,
      errors: [`LEADS_PORT must be a whole number from 0 to 65535, but is "${port}".`],
    });
  });
}

for (const [database, error] of [
  ['user:secret@h1:5290,h2:5291/leads', /names several hosts\. Name one: put a proxy/],
  ['user:sec,ret@h1,h2:5291/leads', /names several hosts/],
  ['user:secret@/leads?host=h1,h2', /names several hosts/],
  [
    'h1/leads?target_session_attrs=read-write',
    /has the unknown parameter "target_session_attrs"\. Remove it/,
  ],
  ['leads:Top?secret99@h1/leads', /has an unknown parameter, or a \? in the password: write it as %3F\.$/],
  ['h1/leads?sslmode=banana', /must have an sslmode of disable, /],
  ['user:secret@:bad/leads', /must look like postgres:/],
] as const) {
  test(`config: DATABASE_URL postgres://${database} is refused with the reason`, () => {
    const result = readConfig({ DATABASE_URL: `postgres://${database}`, LEADS_SECRET: secret });
    assert.ok(!result.valid);
    const [first = '', ...others] = result.errors;
    assert.deepEqual(others, []);
    assert.match(first, error);
    assert.doesNotMatch(first, /secret|sec,ret/);
  });
}

for (const [given, used] of [
  ['u:p,w@h/leads?sslmode=require', 'u:p,w@h/leads?sslmode=verify-full'],
  ['h/leads?sslmode=require&uselibpqcompat=true', 'h/leads?sslmode=require&uselibpqcompat=true'],
  ['/leads?host=/run/postgresql', '/leads?host=/run/postgresql'],
] as const) {
  test(`config: DATABASE_URL postgres://${given} connects to ${used}`, () => {
    const result = readConfig({ DATABASE_URL: `postgres://${given}`, LEADS_SECRET: secret });
    assert.ok(result.valid);
    assert.deepEqual(result.config.database, { kind: 'postgres', url: `postgres://${used}` });
  });
}

test('config: an empty DATABASE_URL is an error and does not select SQLite', () => {
  const result = readConfig({ DATABASE_URL: '' });
  assert.ok(!result.valid);
  assert.match(result.errors.join('\n'), /^DATABASE_URL is empty/);
});

test('config: DATA_DIR finds leads in the folder or its leads/, from any working directory', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'lead-service-'));
  const [site, alone, both, fresh] = ['site', 'alone', 'both', 'fresh'].map((name) => join(root.path, name));
  for (const folder of [join(site ?? '', 'leads'), alone, both, join(both ?? '', 'leads')]) {
    mkdirSync(folder ?? '', { recursive: true });
    writeFileSync(join(folder ?? '', 'leads.sqlite'), '');
  }
  const directoryOf = (DATA_DIR = '') => {
    const result = readConfig({ DATA_DIR });
    return result.valid ? result.config.dataDirectory : result.errors.join();
  };
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
    directoryOf(both),
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

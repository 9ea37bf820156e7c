import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { brand } from '@countersign/contracts/brand';
import { readConfig } from './config.ts';

const unknownSenders = {
  trustedProxyHops: 0,
  allowedOrigins: [],
  reportsPerAddress: 600,
  quotas: { address: 600, network: 2400 },
};
const nobody = { tokens: [], address: { host: '127.0.0.1', port: 3002 }, trustedProxyHops: 0 };
const forever = { days: { trial: 0, demo: 0, contact: 0 }, quarantineDays: 0 };
const unwatched = {
  metrics: undefined,
  lateAfterSeconds: 600,
  stopDelaySeconds: 0,
  tracesUrl: undefined,
  livePage: undefined,
};
const keptAsFiles = {
  enabled: true,
  leaseSeconds: 60,
  mail: {
    smtpUrl: undefined,
    from: `${brand} <hello@countersign.example>`,
    salesAddress: 'sales@countersign.example',
  },
  webhooks: { endpoints: [], allowPrivate: false },
};
const secret = 'thirty-two characters, all of them';

test('an empty environment means port 3001 on this machine, leads below the working directory', () => {
  assert.deepEqual(readConfig({}), {
    valid: true,
    config: {
      port: 3001,
      host: '127.0.0.1',
      dataDirectory: resolve('.data/leads'),
      database: { kind: 'sqlite', directory: resolve('.data/leads'), file: 'leads.sqlite' },
      secret: undefined,
      abuse: unknownSenders,
      delivery: keptAsFiles,
      logFormat: 'json',
      logLevel: 'info',
      operations: unwatched,
      admin: nobody,
      retention: forever,
    },
  });
});

test('a DATABASE_URL means PostgreSQL, whatever DATA_DIR says', () => {
  const url = 'postgresql://user:secret@db.example:5432/leads';
  assert.deepEqual(
    readConfig({
      DATABASE_URL: url,
      DATA_DIR: '/srv/leads',
      LEADS_PORT: '0',
      LEADS_HOST: '::',
      LEADS_SECRET: secret,
      LOG_FORMAT: 'text',
    }),
    {
      valid: true,
      config: {
        port: 0,
        host: '::',
        dataDirectory: '/srv/leads',
        database: { kind: 'postgres', url },
        secret,
        abuse: unknownSenders,
        delivery: keptAsFiles,
        logFormat: 'text',
        logLevel: 'info',
        operations: unwatched,
        admin: nobody,
        retention: forever,
      },
    },
  );
});

for (const port of ['', 'http', '-1', '65536', '80.5', ' 80', '0x50', '1e3']) {
  test(`LEADS_PORT "${port}" is a fault`, () => {
    assert.deepEqual(readConfig({ LEADS_PORT: port }), {
      valid: false,
      faults: [`LEADS_PORT must be a whole number from 0 to 65535, but is "${port}".`],
    });
  });
}

test('every fault is listed, and none repeats the DATABASE_URL', () => {
  const result = readConfig({
    LEADS_PORT: 'x',
    LEADS_HOST: 'http://localhost',
    DATA_DIR: ' ',
    DATABASE_URL: 'mysql://user:secret@db.example/leads',
  });
  assert.ok(!result.valid);
  assert.deepEqual(
    result.faults.map((fault) => /^\w+/.exec(fault)?.[0]),
    ['DATA_DIR', 'LEADS_PORT', 'LEADS_HOST', 'DATABASE_URL', 'LEADS_SECRET'],
  );
  assert.doesNotMatch(result.faults.join('\n'), /secret/);
});

test('an empty DATABASE_URL is a fault: a secret that was lost must not move the leads elsewhere', () => {
  const result = readConfig({ DATABASE_URL: '' });
  assert.ok(!result.valid);
  assert.match(result.faults.join('\n'), /^DATABASE_URL is empty/);
});

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { readConfig } from './config.ts';

test('an empty environment means port 3001 on this machine, leads below the working directory', () => {
  assert.deepEqual(readConfig({}), {
    valid: true,
    config: {
      port: 3001,
      host: '127.0.0.1',
      database: { kind: 'sqlite', directory: resolve('.data/leads') },
    },
  });
});

test('a DATABASE_URL means PostgreSQL, whatever DATA_DIR says', () => {
  const url = 'postgresql://user:secret@db.example:5432/leads';
  assert.deepEqual(
    readConfig({ DATABASE_URL: url, DATA_DIR: '/srv/leads', LEADS_PORT: '0', LEADS_HOST: '::' }),
    {
      valid: true,
      config: { port: 0, host: '::', database: { kind: 'postgres', url } },
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
    ['LEADS_PORT', 'LEADS_HOST', 'DATA_DIR', 'DATABASE_URL'],
  );
  assert.doesNotMatch(result.faults.join('\n'), /secret/);
});

test('an empty DATABASE_URL is a fault: a secret that was lost must not move the leads elsewhere', () => {
  const result = readConfig({ DATABASE_URL: '' });
  assert.ok(!result.valid);
  assert.match(result.faults.join('\n'), /^DATABASE_URL must look like/);
});

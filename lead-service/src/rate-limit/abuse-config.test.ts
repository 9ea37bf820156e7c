import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnvironmentReader } from '@countersign/environment/environment-reader';
import { readAbuseConfig } from './abuse-config.ts';

test('abuse config: reads every setting', () => {
  const reader = new EnvironmentReader({
    TRUSTED_PROXY_HOPS: '2',
    ALLOWED_ORIGINS: 'https://www.example.com, http://localhost:8080',
    LEADS_PER_ADDRESS: '10',
    LEADS_PER_NETWORK: '0',
    REPORTS_PER_ADDRESS: '0',
    REPORTS_PER_NETWORK: '7',
  });
  assert.deepEqual(readAbuseConfig(reader), {
    trustedProxyHops: 2,
    allowedOrigins: ['https://www.example.com', 'http://localhost:8080'],
    reportQuotas: { address: 0, network: 7 },
    quotas: { address: 10, network: 0 },
  });
  assert.deepEqual(reader.errors, []);
});

test('abuse config: invalid numbers and origins are errors', () => {
  const reader = new EnvironmentReader({
    TRUSTED_PROXY_HOPS: '-1',
    ALLOWED_ORIGINS: 'www.example.com,https://a.example/,https://b.example,null',
    LEADS_PER_ADDRESS: 'many',
    LEADS_PER_NETWORK: '1.5',
  });
  readAbuseConfig(reader);
  assert.deepEqual(reader.errors, [
    'TRUSTED_PROXY_HOPS must be a whole number from 0 to 16, but is "-1".',
    'ALLOWED_ORIGINS must hold origins such as https://www.example.com, but has "www.example.com".',
    'ALLOWED_ORIGINS must hold origins such as https://www.example.com, but has "https://a.example/".',
    'ALLOWED_ORIGINS must hold origins such as https://www.example.com, but has "null".',
    'LEADS_PER_ADDRESS must be a whole number from 0 to 1000000, but is "many".',
    'LEADS_PER_NETWORK must be a whole number from 0 to 1000000, but is "1.5".',
  ]);
});

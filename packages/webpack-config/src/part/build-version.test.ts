import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildVersion } from './build-version.ts';

test('build version: a manual build has the package’s version', () => {
  assert.equal(buildVersion('1.2.3', {}), '1.2.3');
});

test('build version: Turborepo appends the input hash', () => {
  assert.equal(buildVersion('1.2.3', { TURBO_HASH: '0123456789abcdef' }), '1.2.3-0123456789ab');
});

test('build version: PART_VERSION wins', () => {
  assert.equal(buildVersion('1.2.3', { PART_VERSION: '2.0.0', TURBO_HASH: '0123456789abcdef' }), '2.0.0');
});

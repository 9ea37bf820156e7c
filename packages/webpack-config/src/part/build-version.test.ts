import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildVersion } from './build-version.ts';

test('build version: the package’s, with the input hash of Turborepo; PART_VERSION wins', () => {
  assert.equal(buildVersion('1.2.3', {}), '1.2.3');
  assert.equal(buildVersion('1.2.3', { TURBO_HASH: '0123456789abcdef' }), '1.2.3-0123456789ab');
  assert.equal(buildVersion('1.2.3', { PART_VERSION: '2.0.0', TURBO_HASH: '0123456789abcdef' }), '2.0.0');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildVersion } from './build-version.ts';

test('a build by hand has the version of its package', () => {
  assert.equal(buildVersion('1.2.3', {}), '1.2.3');
});

test('a build by Turborepo adds what identifies its input', () => {
  assert.equal(buildVersion('1.2.3', { TURBO_HASH: '0123456789abcdef' }), '1.2.3-0123456789ab');
});

test('a release build is called what the release says', () => {
  assert.equal(buildVersion('1.2.3', { PART_VERSION: '2.0.0', TURBO_HASH: '0123456789abcdef' }), '2.0.0');
});

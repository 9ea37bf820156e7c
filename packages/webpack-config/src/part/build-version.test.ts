import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildVersion } from './build-version.ts';

test('build version: the package’s, with the input hash of Turborepo; PART_VERSION wins', () => {
  assert.equal(buildVersion('1.2.3', {}), '1.2.3');
  assert.equal(buildVersion('1.2.3', { TURBO_HASH: '0123456789abcdef' }), '1.2.3-0123456789ab');
  assert.equal(buildVersion('1.2.3', { PART_VERSION: '2.0.0', TURBO_HASH: '0123456789abcdef' }), '2.0.0');
});

for (const version of ['1.1.0+b.5', 'v1.1.0', '1.1', `1.1.0-${'9'.repeat(60)}`]) {
  test(`build version: ${version.slice(0, 12)} is refused, as by release publish`, () => {
    assert.throws(() => buildVersion('1.0.0', { PART_VERSION: version }), /^Error: PART_VERSION must /);
  });
}

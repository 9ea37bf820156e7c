import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionsIn, type PartState, type PartVersion } from '@countersign/contracts/release-versions';
import { sampleContent } from '../testing/sample-content.ts';
import { canariesOf, shownTogether, newlyShownVersions, withLiveOnly } from './versions.ts';

const namesOf = (versions: readonly PartVersion[]) =>
  versions.map(({ part, version }) => `${part} ${version}`);

const canary = { version: '1.1.0', percent: 5, together: 'mf-header@1.1.0 mf-pricing@1.1.0' };
const content = sampleContent({
  shell: { live: '2.0.0', previous: '1.0.0', canary: { version: '2.1.0', percent: 5 } },
  'mf-header': { live: '1.0.0', canary },
  'mf-pricing': { live: '1.0.0', previous: '0.9.0', canary },
});

test('versions: the canaries of a content, and which of its versions visitors get together', () => {
  const canaries = canariesOf(content);
  assert.deepEqual(namesOf(canaries), ['shell 2.1.0', 'mf-header 1.1.0', 'mf-pricing 1.1.0']);
  const live = { part: 'mf-pricing', version: '1.0.0' } as const;
  assert.deepEqual(shownTogether(content, [...canaries, live]).map(namesOf), [
    ['shell 2.1.0'],
    ['mf-header 1.1.0', 'mf-pricing 1.1.0'],
    ['mf-pricing 1.0.0'],
  ]);
});

const live: PartState = { live: '1.0.0' };
const inCanary: PartState = { live: '1.0.0', canary: { version: '1.1.0', percent: 5 } };
for (const [what, before, next, expected] of [
  ['the first release', undefined, inCanary, ['1.0.0', '1.1.0']],
  ['no change', inCanary, inCanary, []],
  ['another live version', live, { live: '1.2.0' }, ['1.2.0']],
  ['a canary', live, inCanary, ['1.1.0']],
  ['another share', inCanary, { live: '1.0.0', canary: { version: '1.1.0', percent: 9 } }, ['1.1.0']],
  ['a canary that becomes live', inCanary, { live: '1.1.0', previous: '1.0.0' }, ['1.1.0']],
  ['the end of a canary', inCanary, live, []],
  ['another previous version', live, { live: '1.0.0', previous: '0.9.0' }, []],
  ['a part that is no longer there', live, undefined, []],
] satisfies readonly (readonly [string, PartState | undefined, PartState | undefined, readonly string[]])[]) {
  test(`versions: what visitors get by ${what}`, () => {
    const [was, now] = [before, next].map((versions) =>
      sampleContent(versions ? { 'mf-leads': versions } : {}),
    );
    assert(now);
    const released = newlyShownVersions(['mf-leads'], before && was, now);
    assert.deepEqual(
      released.map(({ version }) => version),
      expected,
    );
  });
}

for (const [what, wanted, expected] of [
  ['the live versions', {}, ['mf-header 1.0.0', 'mf-pricing 1.0.0']],
  ['a canary', { 'mf-header': '1.1.0' }, ['mf-header 1.1.0', 'mf-pricing 1.0.0']],
  ['a previous version', { 'mf-pricing': '0.9.0' }, ['mf-header 1.0.0', 'mf-pricing 0.9.0']],
  ['no version that it does not have', { 'mf-pricing': '3.0.0' }, ['mf-header 1.0.0', 'mf-pricing 1.0.0']],
] as const) {
  test(`versions: a content with one version of each part has ${what}`, () => {
    const shown = withLiveOnly(content, new Map(Object.entries(wanted)));
    assert.deepEqual(namesOf(versionsIn(shown)), ['shell 2.0.0', ...expected]);
  });
}

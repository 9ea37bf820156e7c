import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { canariesOf, comparedRemotes, groupsOf } from './groups-of.ts';

const version = {
  version: '1.0.0',
  globalName: 'mf-pricing@1.0.0',
  entry: { url: '/mf-pricing/1.0.0/entry.js', integrity: `sha384-${'a'.repeat(64)}` },
  exposes: {},
};

function release(percent?: number): ReleaseDocument {
  return {
    schemaVersion: 1,
    releaseId: 'r-0123456789ab',
    shell: { version: '1.0.0', scripts: [], styles: [] },
    remotes: {
      'mf-pricing': { live: version, ...(percent === undefined ? {} : { canary: { version, percent } }) },
      'mf-header': { live: version },
    },
  };
}

test('a visitor is in the canary of its part and in no other', () => {
  expect(groupsOf(release(100), () => 'somebody')).toEqual({
    'mf-header': 'stable',
    'mf-content': 'stable',
    'mf-pricing': 'canary',
    'mf-leads': 'stable',
  });
});

test('a visitor without a name gets what everybody gets', () => {
  expect(groupsOf(release(100), () => undefined)['mf-pricing']).toBe('stable');
});

test('nobody is given a name where there is no canary', () => {
  const visitorId = jest.fn(() => 'somebody');
  groupsOf(release(), visitorId);
  expect(visitorId).not.toHaveBeenCalled();
});

test('comparison: parts with a canary take part, for visitors with a name', () => {
  expect([...comparedRemotes(release(0), () => 'a name')]).toEqual(['mf-pricing']);
  expect([...comparedRemotes(release(100), () => undefined)]).toEqual([]);
  expect([...comparedRemotes(release(), () => 'a name')]).toEqual([]);
});

test('the canaries of a visitor are those of the groups that they are in', () => {
  const groups = groupsOf(release(100), () => 'somebody');
  expect(canariesOf(release(100), groups)).toEqual([{ remote: 'mf-pricing', version: '1.0.0' }]);
  expect(canariesOf(release(100), { ...groups, 'mf-pricing': 'stable' })).toEqual([]);
  expect(canariesOf(release(), groups)).toEqual([]);
});

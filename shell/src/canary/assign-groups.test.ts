import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { assignGroups, canariesOf, requestsCanary } from './assign-groups.ts';

function release(percent?: number) {
  const live = sampleVersion('1.0.0');
  return sampleRelease({
    'mf-pricing': { live, ...(percent === undefined ? {} : { canary: { version: live, percent } }) },
    'mf-header': { live },
  });
}

test('group assignment: a visitor is in the canary of one part only', () => {
  const { 'mf-pricing': pricing, ...others } = assignGroups(release(100), '', () => 'somebody');
  expect(pricing).toBe('canary');
  expect(new Set(Object.values(others))).toEqual(new Set(['stable']));
});

test('group assignment: a visitor gets all versions of a canary of several parts, or none', () => {
  const live = sampleVersion('1.0.0');
  const canary = { version: live, percent: 50, together: 'mf-pricing@1.0.0 mf-header@1.0.0' };
  const joint = sampleRelease({ 'mf-pricing': { live, canary }, 'mf-header': { live, canary } });
  for (let visitor = 0; visitor < 50; visitor += 1) {
    const groups = assignGroups(joint, '', () => `visitor-${visitor}`);
    expect(groups['mf-header']).toBe(groups['mf-pricing']);
  }
  const requested = assignGroups(joint, '?variant=mf-header@1.0.0', () => undefined);
  expect(canariesOf(joint, requested)).toHaveLength(2);
});

test('group assignment: a visitor without an ID is in no group of a canary', () => {
  const { 'mf-pricing': pricing, 'mf-header': header } = assignGroups(release(100), '', () => undefined);
  expect([pricing, header]).toEqual([undefined, 'stable']);
});

test('group assignment: no ID is created without a canary', () => {
  const visitorId = jest.fn(() => 'somebody');
  assignGroups(release(), '', visitorId);
  expect(visitorId).not.toHaveBeenCalled();
});

test('group assignment: an address that asks for a canary gets it, whatever its percentage is', () => {
  const query = '?utm_source=letter&variant=mf-pricing%401.0.0';
  const { 'mf-pricing': pricing, 'mf-header': header } = assignGroups(release(0), query, () => undefined);
  expect([pricing, header]).toEqual(['canary', 'stable']);
  expect(requestsCanary(release(0), query)).toBe(true);
});

test.each([
  '',
  '?variant=',
  '?variant=mf-pricing@1.0.1',
  '?variant=mf-header@1.0.0',
  '?other=mf-pricing@1.0.0',
])('group assignment: an address that names no canary of the release is ignored: %s', (query) => {
  expect(assignGroups(release(0), query, () => 'somebody')['mf-pricing']).toBe('stable');
  expect(requestsCanary(release(0), query)).toBe(false);
});

test.each(['stable', 'canary', undefined] as const)(
  'group assignment: the group of the shell is that of its page: %s',
  (group) => {
    const shell = { ...release().shell, canary: { version: '1.1.0', percent: 5 }, group };
    const inPage = { ...release(), shell };
    expect(assignGroups(inPage, '', () => undefined).shell).toBe(group);
    expect(requestsCanary(inPage, '?variant=shell@1.1.0')).toBe(true);
    expect(requestsCanary(inPage, '?variant=shell@1.0.0')).toBe(false);
  },
);

test('canaries: follow the group assignment', () => {
  const groups = assignGroups(release(100), '', () => 'somebody');
  expect(canariesOf(release(100), groups)).toEqual([{ remote: 'mf-pricing', version: '1.0.0' }]);
  expect(canariesOf(release(100), { ...groups, 'mf-pricing': 'stable' })).toEqual([]);
  expect(canariesOf(release(), groups)).toEqual([]);
});

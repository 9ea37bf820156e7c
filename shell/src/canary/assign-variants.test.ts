import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { assignVariants, canariesOf, requestsCanary } from './assign-variants.ts';

function release(percent?: number) {
  const live = sampleVersion('1.0.0');
  return sampleRelease({
    'mf-pricing': { live, ...(percent === undefined ? {} : { canary: { version: live, percent } }) },
    'mf-header': { live },
  });
}

test('variant assignment: a visitor is in the canary of one part only', () => {
  const { 'mf-pricing': pricing, ...others } = assignVariants(release(100), '', () => 'somebody');
  expect(pricing).toBe('canary');
  expect(new Set(Object.values(others))).toEqual(new Set(['stable']));
});

test('variant assignment: a visitor without an ID belongs to no group of a part with a canary', () => {
  const { 'mf-pricing': pricing, 'mf-header': header } = assignVariants(release(100), '', () => undefined);
  expect([pricing, header]).toEqual([undefined, 'stable']);
});

test('variant assignment: no ID is created without a canary', () => {
  const visitorId = jest.fn(() => 'somebody');
  assignVariants(release(), '', visitorId);
  expect(visitorId).not.toHaveBeenCalled();
});

test('variant assignment: an address that asks for a canary gets it, whatever its percentage is', () => {
  const query = '?utm_source=letter&variant=mf-pricing%401.0.0';
  const { 'mf-pricing': pricing, 'mf-header': header } = assignVariants(release(0), query, () => undefined);
  expect([pricing, header]).toEqual(['canary', 'stable']);
  expect(requestsCanary(release(0), query)).toBe(true);
});

test.each([
  '',
  '?variant=',
  '?variant=mf-pricing@1.0.1',
  '?variant=mf-header@1.0.0',
  '?other=mf-pricing@1.0.0',
])('variant assignment: an address that names no canary of the release is ignored: %s', (query) => {
  expect(assignVariants(release(0), query, () => 'somebody')['mf-pricing']).toBe('stable');
  expect(requestsCanary(release(0), query)).toBe(false);
});

test.each(['stable', 'canary', undefined] as const)(
  'variant assignment: the group of the shell is that of its page: %s',
  (group) => {
    const shell = { ...release().shell, canary: { version: '1.1.0', percent: 5 }, group };
    const inPage = { ...release(), shell };
    expect(assignVariants(inPage, '', () => undefined).shell).toBe(group);
    expect(requestsCanary(inPage, '?variant=shell@1.1.0')).toBe(true);
    expect(requestsCanary(inPage, '?variant=shell@1.0.0')).toBe(false);
  },
);

test('canaries: follow the variant assignment', () => {
  const variants = assignVariants(release(100), '', () => 'somebody');
  expect(canariesOf(release(100), variants)).toEqual([{ remote: 'mf-pricing', version: '1.0.0' }]);
  expect(canariesOf(release(100), { ...variants, 'mf-pricing': 'stable' })).toEqual([]);
  expect(canariesOf(release(), variants)).toEqual([]);
});

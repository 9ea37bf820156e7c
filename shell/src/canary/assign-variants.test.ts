import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { canariesOf, assignVariants } from './assign-variants.ts';

function release(percent?: number) {
  const live = sampleVersion('1.0.0');
  return sampleRelease({
    'mf-pricing': { live, ...(percent === undefined ? {} : { canary: { version: live, percent } }) },
    'mf-header': { live },
  });
}

test('variant assignment: a visitor is in the canary of one part only', () => {
  const { 'mf-pricing': pricing, ...others } = assignVariants(release(100), () => 'somebody');
  expect(pricing).toBe('canary');
  expect(new Set(Object.values(others))).toEqual(new Set(['stable']));
});

test('variant assignment: a visitor without an ID belongs to no group of a part with a canary', () => {
  const { 'mf-pricing': pricing, 'mf-header': header } = assignVariants(release(100), () => undefined);
  expect([pricing, header]).toEqual([undefined, 'stable']);
});

test('variant assignment: no ID is created without a canary', () => {
  const visitorId = jest.fn(() => 'somebody');
  assignVariants(release(), visitorId);
  expect(visitorId).not.toHaveBeenCalled();
});

test('canaries: follow the variant assignment', () => {
  const variants = assignVariants(release(100), () => 'somebody');
  expect(canariesOf(release(100), variants)).toEqual([{ remote: 'mf-pricing', version: '1.0.0' }]);
  expect(canariesOf(release(100), { ...variants, 'mf-pricing': 'stable' })).toEqual([]);
  expect(canariesOf(release(), variants)).toEqual([]);
});

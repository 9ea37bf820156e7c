import { chooseGroup, isRequested } from './choose-group.ts';

const visitors = Array.from({ length: 40_000 }, (_, index) => `visitor-${index * 7919}`);

function members(part: string, percent: number): Set<string> {
  return new Set(visitors.filter((visitor) => chooseGroup(visitor, part, percent) === 'canary'));
}

test.each([1, 10, 33.3, 50, 90])('canary: %d percent of visitors are in it', (percent) => {
  const expected = (visitors.length * percent) / 100;
  const standardDeviation = Math.sqrt(expected * (1 - percent / 100));
  // The visitors are always the same, so the limit of four standard deviations cannot fail by chance.
  expect(Math.abs(members('mf-pricing', percent).size - expected)).toBeLessThan(4 * standardDeviation);
});

test('canary: 0 percent is no visitor, 100 percent all', () => {
  expect(members('mf-pricing', 0).size).toBe(0);
  expect(members('mf-pricing', 100).size).toBe(visitors.length);
});

test('canary: a visitor stays in it when the percentage grows', () => {
  const grown = members('mf-pricing', 30);
  expect([...members('mf-pricing', 10)].filter((visitor) => !grown.has(visitor))).toEqual([]);
});

test('canary: parts have independent groups', () => {
  const pricing = members('mf-pricing', 10);
  const both = [...members('mf-leads', 10)].filter((visitor) => pricing.has(visitor)).length;
  // 10 % of 10 %.
  const expected = visitors.length / 100;
  expect(Math.abs(both - expected)).toBeLessThan(5 * Math.sqrt(expected));
});

test.each(['1.2.0+build.5', '1.2.0%2Bbuild.5'])(
  'canary: is requested by a version with a plus sign: %s',
  (version) => {
    expect(isRequested(`?variant=mf-pricing@${version}`, 'mf-pricing@1.2.0+build.5')).toBe(true);
  },
);

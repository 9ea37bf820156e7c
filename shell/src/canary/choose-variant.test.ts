import { chooseGroup } from './choose-group.ts';

const visitors = Array.from({ length: 40_000 }, (_, index) => `visitor-${index * 7919}`);

function members(part: string, percent: number): Set<string> {
  return new Set(visitors.filter((visitor) => chooseGroup(visitor, part, percent) === 'canary'));
}

test.each([1, 10, 33.3, 50, 90])('%d percent of visitors are in the canary', (percent) => {
  const expected = (visitors.length * percent) / 100;
  const deviation = Math.sqrt(expected * (1 - percent / 100));
  expect(Math.abs(members('mf-pricing', percent).size - expected)).toBeLessThan(4 * deviation);
});

test('nobody is in a canary of 0 percent, and everybody in one of 100', () => {
  expect(members('mf-pricing', 0).size).toBe(0);
  expect(members('mf-pricing', 100).size).toBe(visitors.length);
});

test('who is in a canary stays in it while it grows', () => {
  const grown = members('mf-pricing', 30);
  expect([...members('mf-pricing', 10)].filter((visitor) => !grown.has(visitor))).toEqual([]);
});

test('two parts do not share their visitors', () => {
  const pricing = members('mf-pricing', 10);
  const both = [...members('mf-leads', 10)].filter((visitor) => pricing.has(visitor)).length;
  const expected = visitors.length / 100;
  expect(Math.abs(both - expected)).toBeLessThan(5 * Math.sqrt(expected));
});

test('visitors with the identifiers that browsers make are spread as evenly', () => {
  const identifiers = Array.from({ length: 10_000 }, () => crypto.randomUUID());
  const chosen = identifiers.filter((id) => chooseGroup(id, 'mf-header', 10) === 'canary').length;
  expect(Math.abs(chosen - 1000)).toBeLessThan(6 * Math.sqrt(900));
});

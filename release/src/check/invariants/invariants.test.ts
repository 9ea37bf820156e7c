import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenInvariants, type Observation } from './invariants.ts';

/** The texts of the violations. */
const compare = (
  seen: Observation,
  liveObservations: readonly Observation[],
  released: readonly string[] = ['mf-pricing'],
) => {
  const { violations, changedLooks } = brokenInvariants(seen, liveObservations, released);
  return {
    violations: violations.map(({ text }) => text),
    changedLooks: changedLooks.map(({ text }) => text),
  };
};

const own = 'mf-pricing: button "Buy"';
const others = 'mf-leads: button "Send"';
const [remote, shell] = [['mf-pricing'], ['shell']];

// One row for each way of comparing and each modifier: what is wrong with items that were `before` and are `now`.
for (const [name, before, now, parts, kind] of [
  ['indexing', ['index'], ['noindex'], remote, 'violations'],
  ['indexing', ['index'], [], shell, 'violations'],
  ['indexing', ['20 px'], ['21 px'], remote, 'violations'],
  ['indexing', undefined, ['noindex'], shell, undefined],
  ['html', ['inert'], [], remote, 'violations'],
  ['html', ['inert'], [], shell, undefined],
  ['keys', ['End'], [], remote, 'violations'],
  ['keys', [], ['End'], remote, undefined],
  ['slots', [own], [], remote, 'changedLooks'],
  ['slots', [others], [], remote, 'violations'],
  ['slots', [others], [], shell, 'changedLooks'],
  ['storage', ['theme'], [], remote, 'violations'],
  ['storage', ['theme'], [], shell, undefined],
  ['reachable', [others], [], remote, 'violations'],
  ['reachable', [own], [], remote, undefined],
  ['reachable', [others], [], shell, 'violations'],
  ['appearance', ['mf-leads: 20 px'], ['mf-leads: 21 px'], remote, 'violations'],
  ['appearance', ['mf-leads: 20 px'], ['mf-leads: 21 px'], shell, undefined],
  ['cookies', [], ['2001 characters'], remote, 'violations'],
  ['cookies', ['2001 characters'], ['2002 characters'], remote, undefined],
  ['cookies', ['2001 characters'], [], remote, undefined],
  ['hidden', undefined, [own], remote, 'violations'],
  ['hidden', undefined, [others], remote, undefined],
  ['hidden', undefined, [others], shell, 'violations'],
  ['functions', [], ['window.fetch'], remote, 'violations'],
  ['functions', [], ['window.fetch'], shell, undefined],
  ['functions', undefined, ['window.fetch'], remote, undefined],
  ['covered', [], [own], remote, 'violations'],
  ['covered', [], [others], remote, undefined],
  ['covered', [], [others], shell, 'violations'],
  ['texts', ['mf-leads: ./form 400'], ['mf-leads: ./form 9'], remote, 'violations'],
] as const) {
  const released = parts.join();
  test(`invariants: ${name} of ${before?.join() ?? 'no page'}, then ${now.join()}, by ${released}`, () => {
    const found = compare({ [name]: now }, before ? [{ [name]: before }] : [], parts);
    const kinds = Object.entries(found).flatMap(([key, texts]) => (texts.length > 0 ? [key] : []));
    assert.deepEqual(kinds, kind ? [kind] : []);
  });
}

test('invariants: a person may accept changes of a part itself, but not harm to others', () => {
  const now = { title: ['Sale'], pinned: [] };
  const before = { title: ['Plans'], pinned: ['mf-header: header', 'mf-pricing: p'] };
  assert.deepEqual(compare(now, [before]), {
    violations: ['no longer keeps in the window as it scrolls: mf-header: header'],
    changedLooks: [
      'changes the title of the page: Sale',
      'no longer keeps in the window as it scrolls: mf-pricing: p',
    ],
  });
});

test('invariants: what differs between two observations of the live page counts for nothing', () => {
  const observations = [{ slots: ['mf-pricing: ./a'] }, { slots: [] }];
  assert.deepEqual(compare({ slots: [] }, observations), { violations: [], changedLooks: [] });
});

test('invariants: a link without its address is a violation, one that is gone is none', () => {
  const link = 'mf-pricing: a "Terms 2026"';
  const before = { linked: [link] };
  assert.deepEqual(compare({ linked: [], present: [link] }, [before]).violations, [
    `takes the address from links: ${link}`,
  ]);
  assert.deepEqual(compare({ linked: [], present: ['mf-pricing: a "Terms 2027"'] }, [before]).violations, []);
});

test('invariants: a slot may lose half of its text, and get more', () => {
  const textsOf = (length: number) => ({ texts: [`mf-pricing: ./plans ${length}`] });
  assert.deepEqual(compare(textsOf(150), [textsOf(400)]).changedLooks, []);
  assert.deepEqual(compare(textsOf(900), [textsOf(400)]).changedLooks, []);
  assert.deepEqual(compare(textsOf(149), [textsOf(400), textsOf(149)]).changedLooks, []);
  assert.deepEqual(compare(textsOf(149), [textsOf(400)]).changedLooks, [
    'shows less than half of the text of: mf-pricing: ./plans',
  ]);
});

test('invariants: parts and slots may differ by a digit; versions and numbers count for nothing', () => {
  const before = {
    slots: ['mf-faq: ./first', 'mf-faq2: ./first', 'mf-faq2: ./first2'],
    violations: ['requests /mf-faq2/1.0.0/plans.0123456789ab.js 3 times'],
    pinned: ['mf-faq2: header'],
  };
  const now = {
    slots: ['mf-faq: ./first', 'mf-faq2: ./first'],
    violations: ['requests /mf-faq2/1.1.0/plans.ba9876543210.js 4 times'],
    pinned: ['mf-faq: header'],
  };
  assert.deepEqual(compare(now, [before], ['mf-faq']), {
    violations: [
      'removes slots: mf-faq2: ./first2',
      'no longer keeps in the window as it scrolls: mf-faq2: header',
    ],
    changedLooks: [],
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import type { Observation } from './invariants.ts';
import { findSlowness, judgePage, soundPage, type ObservedPages } from './judge-page.ts';

const crashed = new PageFailure('crashes the page');
const late = new OutOfTime('is busy for', 40_000);
const [sound, noKeys] = [{ keys: ['End'] }, { keys: [] }];
const refused = 'keeps keys from scrolling the page: End';
const liveIsLate = 'the live page took more than 40 s, too';
const liveDoesSo = `the live page does so, too: it ${refused}`;

const pagesOf = (
  observed: ObservedPages['observed'],
  live?: ObservedPages['observed'],
  isFast = false,
): ObservedPages => {
  const liveObserved = live instanceof OutOfTime ? live : live && { observation: live as typeof sound };
  return { observed, isFast, liveObserved };
};
const textsOf = (found: readonly { readonly text: string }[]) => found.map(({ text }) => text);

for (const [what, now, first, violations, undecided] of [
  ['a page like the live one passes', pagesOf(sound, sound), undefined, [], []],
  ['another page is refused', pagesOf(noKeys, sound), undefined, [refused], []],
  ['without a live page, nothing is compared', pagesOf(noKeys), undefined, [], []],
  ['a crash is a violation', pagesOf(crashed, late), undefined, ['crashes the page'], []],
  ['a late page is refused', pagesOf(late, sound), undefined, ['is busy for 40 s'], []],
  [
    'beside a late live page, a late one is undecided',
    pagesOf(late, late),
    undefined,
    ['is busy for 40 s'],
    [liveIsLate],
  ],
  ['beside a late live page, a slow one is undecided', pagesOf(sound, late), undefined, [], [liveIsLate]],
  ['beside a late live page, a fast one passes', pagesOf(sound, late, true), undefined, [], []],
  [
    'what only the second live page does is undecided',
    pagesOf(noKeys, noKeys),
    pagesOf(noKeys, sound),
    [],
    [liveDoesSo],
  ],
  ['what both live pages do is no violation', pagesOf(noKeys, noKeys), pagesOf(noKeys, noKeys), [], []],
] as const) {
  test(`judgement: ${what}`, () => {
    const found = judgePage(now, first, ['mf-pricing'], { heavy: [], comparesLooks: true });
    assert.deepEqual([textsOf(found.violations), found.undecided], [violations, undecided]);
  });
}

test('judgement: looks count only where they are compared; what is loaded always does', () => {
  const now = {
    observed: { title: ['Sale'] },
    isFast: true,
    liveObserved: { observation: { title: ['Plans'] } },
  };
  for (const comparesLooks of [true, false]) {
    const heavy = ['loads 2 kB of script'];
    const found = judgePage(now, undefined, ['mf-pricing'], { heavy, comparesLooks });
    const looks = comparesLooks ? ['changes the title of the page: Sale'] : [];
    assert.deepEqual([textsOf(found.violations), textsOf(found.changedLooks)], [heavy, looks]);
  }
});

test('slowness: a page without a key or its report is slow, unless the visitor does not observe them', () => {
  const slownessOf = (observed: Observation) => textsOf(findSlowness(observed, [soundPage], ['mf-pricing']));
  assert.deepEqual(slownessOf({ keys: ['PageDown', 'Home'] }), [refused]);
  assert.deepEqual(slownessOf({ reports: [] }), [
    `no longer reports what visitors meet: ${String(soundPage.reports)}`,
  ]);
  assert.deepEqual([slownessOf(soundPage), slownessOf({})], [[], []]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import { judgePage, type Attempt } from './judge-page.ts';

const crashed = new PageFailure('crashes the page');
const late = new OutOfTime('is busy for', 40_000);
const [sound, noKeys] = [{ keys: ['End'] }, { keys: [] }];
const refused = 'keeps keys from scrolling the page: End';
const liveIsLate = 'the live page took more than 40 s, too';
const liveDoesSo = `the live page does so, too: it ${refused}`;

const attempt = (observed: Attempt['observed'], live?: Attempt['observed'], isFast = false): Attempt => {
  const liveObserved = live instanceof OutOfTime ? live : live && { observation: live as typeof sound };
  return { observed, isFast, liveObserved };
};
const textsOf = (found: readonly { readonly text: string }[]) => found.map(({ text }) => text);

for (const [what, now, first, violations, undecided] of [
  ['a page like the live one passes', attempt(sound, sound), undefined, [], []],
  ['another page is refused', attempt(noKeys, sound), undefined, [refused], []],
  ['without a live page, nothing is compared', attempt(noKeys), undefined, [], []],
  ['a crash is a violation', attempt(crashed, late), undefined, ['crashes the page'], []],
  ['a late page is refused', attempt(late, sound), undefined, ['is busy for 40 s'], []],
  [
    'beside a late live page, a late one is undecided',
    attempt(late, late),
    undefined,
    ['is busy for 40 s'],
    [liveIsLate],
  ],
  ['beside a late live page, a slow one is undecided', attempt(sound, late), undefined, [], [liveIsLate]],
  ['beside a late live page, a fast one passes', attempt(sound, late, true), undefined, [], []],
  [
    'what only the second live page does is undecided',
    attempt(noKeys, noKeys),
    attempt(noKeys, sound),
    [],
    [liveDoesSo],
  ],
  ['what both live pages do is no violation', attempt(noKeys, noKeys), attempt(noKeys, noKeys), [], []],
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import { judgePage } from './judge-page.ts';

const crashed = new PageFailure('crashes the page');
const late = new OutOfTime('keeps the page busy for', 40_000);
const [sound, noKeys] = [{ keys: ['End'] }, { keys: [] }];
const refused = ['keeps keys from scrolling the page: End'];
const lateToo = ['the live page took more than 40 s, too'];

/** One row for each way in which a page and the live page can fail, with the violations, and why they are undecided. */
for (const [what, attempt, violations, undecided] of [
  ['a page like the live one passes', { seen: sound, liveObserved: sound }, [], []],
  ['another page is refused', { seen: noKeys, liveObserved: sound }, refused, []],
  ['a page without a live one passes', { seen: noKeys, liveObserved: undefined }, [], []],
  ['a crash is a violation', { seen: crashed, liveObserved: sound }, ['crashes the page'], []],
  ['a late page is refused', { seen: late, liveObserved: sound }, ['keeps the page busy for 40 s'], []],
  [
    'a late page beside a late live one is undecided',
    { seen: late, liveObserved: late },
    ['keeps the page busy for 40 s'],
    lateToo,
  ],
  ['a page beside a late live one is undecided', { seen: sound, liveObserved: late }, [], lateToo],
  ['a fast page beside a late live one passes', { seen: sound, isFast: true, liveObserved: late }, [], []],
  [
    'a crash beside a late live page is none of time',
    { seen: crashed, liveObserved: late },
    ['crashes the page'],
    [],
  ],
  [
    'a violation that only the second live page has is undecided',
    { seen: noKeys, liveObserved: noKeys, liveBefore: sound },
    [],
    [`the live page does so, too: it ${refused}`],
  ],
  [
    'a violation that both live pages have is none',
    { seen: noKeys, liveObserved: noKeys, liveBefore: noKeys },
    [],
    [],
  ],
] as const) {
  test(`judgement: ${what}`, () => {
    const attempted = { isFast: false, liveBefore: undefined, ...attempt };
    const found = judgePage(attempted, ['mf-pricing'], { heavy: [], comparesLooks: true });
    assert.deepEqual([found.violations.map(({ text }) => text), found.undecided], [violations, undecided]);
  });
}

test('judgement: looks count only where they are compared; what is loaded always does', () => {
  const [seen, liveObserved] = [{ title: ['Sale'] }, { title: ['Plans'] }];
  const attempted = { seen, liveObserved, isFast: true, liveBefore: undefined };
  for (const comparesLooks of [true, false]) {
    const options = { heavy: ['loads 2 kB of script'], comparesLooks };
    const { violations, changedLooks } = judgePage(attempted, ['mf-pricing'], options);
    assert.deepEqual(
      violations.map(({ text }) => text),
      options.heavy,
    );
    assert.equal(changedLooks.length, comparesLooks ? 1 : 0);
  }
});

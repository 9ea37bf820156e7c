import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { browserOfTests } from '../../testing/config.ts';
import { siteWithBody } from '../../testing/site-with-body.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { runJourneys } from './run-journeys.ts';

test('journeys: one that works passes, and one whose button is dead is broken', async () => {
  await using browser = await openBrowser(browserOfTests);
  const journeys = defineJourneys({
    'more is shown': [press('button "More"'), see('"Ten plans"')],
    'the page has a heading': [see('heading "Sample"')],
  });
  const parts = [{ part: 'mf-pricing', journeys, isThorough: false }] as const;
  const siteWith = (button: string) => siteWithBody(`<body><main><h1>Sample</h1>${button}</main></body>`);
  const sound = siteWith(`<button onclick="this.after('Ten plans')">More</button>`);
  const follow = async (site: typeof sound, liveSite = sound) => {
    const run = await runJourneys(browser, { site, liveSite, parts, stepLimits: [300, 1_500] });
    assert.deepEqual(Object.keys(run), ['followed', 'broken', 'secondAttempts']);
    const excused = run.secondAttempts.filter(({ why }) => why.includes('in the live page'));
    const attempts = excused.map(({ journey, why }) => `${journey}: ${why}`);
    return { followed: run.followed, broken: run.broken.map(({ name, why }) => `${name}: ${why}`), attempts };
  };
  assert.deepEqual(await follow(sound), { followed: 2, broken: [], attempts: [] });
  const dead = siteWith('<button>More</button>');
  const why = 'more is shown: step 2 of 2 (see "Ten plans"): it is not there';
  assert.deepEqual(await follow(dead), { followed: 2, broken: [why], attempts: [] });
  // A live page that fails as early excuses it, but not without a word. One that fails later does not.
  const live = 'in the live page, step 2 of 2 (see "Ten plans"): it is not there';
  const attempts = [`${why}; ${live} (for a visitor with a window of 1024 × 480 px)`];
  assert.deepEqual(await follow(dead, dead), { followed: 2, broken: [], attempts });
  const gone = 'more is shown: step 1 of 2 (press button "More"): it is not there';
  assert.deepEqual(await follow(siteWith(''), dead), { followed: 2, broken: [gone], attempts: [] });
});

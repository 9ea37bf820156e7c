import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { browserOfTests } from '../../testing/config.ts';
import { siteWithBody } from '../../testing/site-with-body.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { runJourneys } from './run-journeys.ts';

test('journeys: a live page that fails as early excuses another part, but not without a word', async () => {
  await using browser = await openBrowser(browserOfTests);
  const journeys = defineJourneys({ 'more is shown': [press('button "More"'), see('"Ten plans"')] });
  const parts = [{ part: 'mf-pricing', journeys, isThorough: false }] as const;
  const siteWith = (button: string) => siteWithBody(`<body><main><h1>Sample</h1>${button}</main></body>`);
  const liveSite = siteWith('<button>More</button>');
  const follow = async (site: typeof liveSite) => {
    const run = await runJourneys(browser, { site, liveSite, parts, stepLimits: [1_500, 3_000] });
    return [run.broken.map(({ why }) => why), run.secondAttempts.map(({ why }) => why)];
  };
  const dead = 'step 2 of 2 (see "Ten plans"): it is not there';
  const excused = `${dead}; in the live page, ${dead} (for a visitor with a window of 1024 × 480 px)`;
  assert.deepEqual(await follow(liveSite), [[], [excused]]);
  const gone = 'step 1 of 2 (press button "More"): it is not there';
  assert.deepEqual(await follow(siteWith('')), [[gone], []]);
});

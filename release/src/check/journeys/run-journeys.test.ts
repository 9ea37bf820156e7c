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
  const liveSite = siteWith(`<button onclick="this.after('Ten plans')">More</button>`);
  const follow = async (site: typeof liveSite) => {
    const run = await runJourneys(browser, { site, liveSite, parts, stepLimits: [300, 1_500] });
    assert.deepEqual(Object.keys(run), ['followed', 'broken', 'secondAttempts']);
    return { followed: run.followed, broken: run.broken.map(({ name, why }) => `${name}: ${why}`) };
  };
  assert.deepEqual(await follow(liveSite), { followed: 2, broken: [] });
  assert.deepEqual(await follow(siteWith('<button>More</button>')), {
    followed: 2,
    broken: ['more is shown: step 2 of 2 (see "Ten plans"): it is not there'],
  });
});

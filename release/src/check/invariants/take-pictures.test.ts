import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserOfTests } from '../../testing/config.ts';
import { siteWithBody } from '../../testing/site-with-body.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { openTab } from '../browser/open-tab.ts';
import { Pace } from '../browser/pace.ts';
import { takePictures } from './take-pictures.ts';

test('pictures: without some to take, or without success, the visitor keeps the own theme', async () => {
  await using browser = await openBrowser(browserOfTests);
  await using tab = await openTab(browser, siteWithBody('<body></body>'), 'narrow', new Pace());
  const isDark = () => tab.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  assert.deepEqual([await takePictures(tab, []), await isDark()], [{}, true]);
  // The page has no such slot.
  assert.deepEqual([await takePictures(tab, ['mf-pricing']), await isDark()], [undefined, true]);
});

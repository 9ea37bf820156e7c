import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserOfTests } from '../../testing/config.ts';
import { siteWithBody } from '../../testing/site-with-body.ts';
import { openBrowser } from './open-browser.ts';
import { openTab } from './open-tab.ts';
import { Pace } from './pace.ts';

test('functions of the page: another one replaces, the same one on another object does not', async () => {
  await using browser = await openBrowser(browserOfTests);
  await using tab = await openTab(browser, siteWithBody('<body></body>'), 'narrow', new Pace());
  await tab.open();
  const replaced = await tab.page.evaluate(() => {
    // As axe does.
    Object.assign(document, { elementsFromPoint: document.elementsFromPoint });
    document.elementFromPoint = () => null;
    navigator.sendBeacon = () => true;
    Reflect.set(history, 'pushState', undefined);
    return replacedFunctions?.();
  });
  assert.deepEqual(replaced, ['document.elementFromPoint', 'history.pushState', 'navigator.sendBeacon']);
});

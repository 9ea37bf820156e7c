import type { Page } from 'playwright-core';
import type { Tab } from '../browser/open-tab.ts';
import { limits } from '../browser/pace.ts';
import { pollWhileFound } from '../browser/poll-while-found.ts';
import { waitForFrames } from './read-page.ts';
import { staysInPlace } from './scroll-page.ts';

/** How often Tab is pressed. */
const tabPresses = 100;

/** The keys that scroll a page. */
export const scrollKeys = ['PageDown', 'End', 'Home'] as const;

/** Those that scroll this page. */
export async function pressScrollKeys(tab: Tab): Promise<readonly string[]> {
  const { page } = tab;
  const keys: string[] = [];
  for (const key of scrollKeys) {
    // An earlier scroll that still moves must neither count for the key, nor end its scrolling.
    await pollWhileFound(tab.limitOf(limits.scroll), () => page.evaluate(waitForFrames));
    if (!(await staysInPlace(tab, () => page.keyboard.press(key)))) keys.push(key);
  }
  return keys;
}

/** The elements that Tab reaches, in order. */
export async function pressTab(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    globalThis.focused = [];
  });
  await Promise.all(Array.from({ length: tabPresses }, () => page.keyboard.press('Tab')));
  return page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    scrollTo({ top: 0, behavior: 'instant' });
    return focused;
  });
}

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const themes = ['light', 'dark'] as const;

/** An opened tooltip lies outside the landmarks on purpose: its trigger, which is in one, refers to it. */
const popUp = 'data-tooltip';

/** Waits until everything that moves and ends has ended: colours in between belong to no theme. */
async function motionEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** What axe finds wrong with the page as it stands, in both themes: one line for each element. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await motionEnded(page);
    const { violations } = await new AxeBuilder({ page }).withTags(standards).analyze();
    for (const { id, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        if (id === 'region' && target.join().includes(popUp)) continue;
        faults.push(`${theme}: ${id} at ${target.join(' ')}: ${failureSummary}`);
      }
    }
  }
  return faults;
}

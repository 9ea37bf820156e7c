import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const themes = ['light', 'dark'] as const;

/** Rules whose result depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Without the elements that pass, whose description takes most of the time, and without the second page in which axe
 * merges the results of frames of other origins: the page has no frames.
 */
const newAxe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();

/** An opened tooltip lies outside the landmarks on purpose: its trigger, which is in one, refers to it. */
const popUp = 'data-tooltip';

/**
 * Waits for the end of all finite animations, because intermediate colours belong to no theme. In sections far from the
 * window, which the browser skips, they do not go on. A change of theme has no transitions with reduced motion.
 */
async function motionEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(
        ({ effect }) =>
          effect instanceof KeyframeEffect &&
          effect.getComputedTiming().endTime !== Infinity &&
          effect.target?.checkVisibility({ contentVisibilityAuto: true }),
      );
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/**
 * Violations that axe finds on the current page, one line per element. Colors are compared in both themes, and only
 * within `changed` if it is given: selectors of what a test has opened or filled in, because comparing takes seconds.
 */
export async function accessibilityFaults(
  page: Page,
  ...changed: readonly string[]
): Promise<readonly string[]> {
  const faults: string[] = [];
  const find = async (where: string, axe: AxeBuilder): Promise<void> => {
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        if (id === 'region' && target.join().includes(popUp)) continue;
        faults.push(`${where}: ${id} at ${target.join(' ')}: ${failureSummary}`);
      }
    }
  };
  await motionEnded(page);
  await find('any theme', newAxe(page).withTags(standards).disableRules(colorRules));
  const hasThemeScript = (await page.locator('html[data-theme]').count()) > 0;
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    // The page's script follows the system; a page without scripts does so in its styles.
    if (hasThemeScript) await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await motionEnded(page);
    const axe = newAxe(page).withRules(colorRules);
    for (const selector of changed) axe.include(selector);
    await find(theme, axe);
  }
  return faults;
}

/** How the page may have to look. Not forced colours: axe reads the colours that they replace. */
export const looks = {
  'if the system asks for more': { media: { contrast: 'more' }, rule: 'color-contrast-enhanced' },
  'on paper': { media: { media: 'print' }, rule: 'color-contrast' },
} as const;

/** Texts of the current page whose contrast is too low in such a look, in both themes. */
export async function contrastFaults(
  page: Page,
  { media, rule }: (typeof looks)[keyof typeof looks],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const theme of themes) {
    await page.emulateMedia({ ...media, colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await motionEnded(page);
    const { violations } = await newAxe(page).withRules([rule]).analyze();
    for (const { target, failureSummary } of violations.flatMap(({ nodes }) => nodes)) {
      faults.push(`${theme}: ${target.join(' ')}: ${failureSummary}`);
    }
  }
  return faults;
}

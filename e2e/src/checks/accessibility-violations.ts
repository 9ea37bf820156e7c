import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const themes = ['light', 'dark'] as const;

/** Rules whose result depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Describes no elements that pass, because that takes most of the time. Without a second page in which axe merges the results of
 * frames, because the page has none.
 */
const newAxe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();

/** An open tooltip is outside the landmarks on purpose, because its trigger, which is in one, refers to it. */
const popUp = 'data-tooltip';

/** Waits for the end of all finite animations, because intermediate colors belong to no theme. */
async function motionEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(
        ({ effect }) => effect instanceof KeyframeEffect && effect.getComputedTiming().endTime !== Infinity,
      );
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** Violations that axe finds, one line for each element. */
async function findViolations(axe: AxeBuilder, where: string): Promise<readonly string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => id !== 'region' || !target.join().includes(popUp))
      .map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;

/** Violations of these rules in each theme. Colors are compared only within some elements, if their selectors are given. */
async function violationsInThemes(
  page: Page,
  rules: readonly string[],
  media: Media,
  selectors: readonly string[] = [],
): Promise<readonly string[]> {
  const hasThemeScript = (await page.locator('html[data-theme]').count()) > 0;
  const violations: string[] = [];
  for (const theme of themes) {
    await page.emulateMedia({ ...media, colorScheme: theme, reducedMotion: 'reduce' });
    // The page's script sets the theme of the system; a page without scripts has it at once, by its styles.
    if (hasThemeScript) await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await motionEnded(page);
    const axe = newAxe(page).withRules([...rules]);
    for (const selector of selectors) axe.include(selector);
    violations.push(...(await findViolations(axe, theme)));
  }
  return violations;
}

/**
 * Violations that axe finds on the current page.
 *
 * @param colorsIn selectors of the elements whose colors are checked, in both themes. By default all, which takes seconds. The other rules
 *   always check the whole page.
 */
export async function accessibilityViolations(
  page: Page,
  { colorsIn = [] }: { readonly colorsIn?: readonly string[] } = {},
): Promise<readonly string[]> {
  await motionEnded(page);
  const axe = newAxe(page).withTags(standards).disableRules(colorRules);
  return [
    ...(await findViolations(axe, 'any theme')),
    ...(await violationsInThemes(page, colorRules, {}, colorsIn)),
  ];
}

/**
 * Texts whose contrast is too low with a media feature, in both themes. Not for forced colors, because axe reads the colors that
 * they replace.
 */
export const contrastViolations = (page: Page, rule: string, media: Media): Promise<readonly string[]> =>
  violationsInThemes(page, [rule], media);

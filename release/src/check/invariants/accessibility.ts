import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Observation } from './invariants.ts';

/**
 * What axe finds in slots of remotes, or in the whole page.
 *
 * @param isForColours only the contrast of colours, which depends on the theme
 */
export async function observeAccessibility(
  page: Page,
  remotes: readonly string[] | undefined,
  isForColours: boolean,
): Promise<Observation> {
  await page.evaluate(`${axe.source}; undefined`);
  const slots = remotes?.map((remote) => `[data-remote="${remote}"]`) ?? ['html'];
  return { accessibility: await page.evaluate(runAxe, { slots, isForColours }) };
}

/** Runs in the page, after axe. */
async function runAxe({ slots, isForColours }: { slots: readonly string[]; isForColours: boolean }) {
  const { axe: runner } = globalThis as unknown as { axe: typeof axe };
  const include = slots.flatMap((slot) => (document.querySelector(slot) ? [[slot]] : []));
  if (include.length === 0) return [];
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await runner.run(
    { include },
    {
      resultTypes: ['violations'],
      runOnly: isForColours ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: tags },
    },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${help} (${id}): ${html.slice(0, 80)}`),
  );
}

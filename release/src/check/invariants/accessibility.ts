import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Observation } from './invariants.ts';

const { resolve } = createRequire(import.meta.url);

/**
 * What axe finds in some elements.
 *
 * @param isForColours only the contrast of colours, which depends on the theme
 */
export async function observeAccessibility(
  page: Page,
  selectors: readonly string[],
  isForColours: boolean,
): Promise<Observation> {
  // Half as large as the source that its module has.
  const source = await readFile(resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(`${source}; undefined`);
  return { accessibility: await page.evaluate(runAxe, { selectors, isForColours }) };
}

/** Runs in the page, after axe. */
async function runAxe({ selectors, isForColours }: { selectors: readonly string[]; isForColours: boolean }) {
  const { axe: runner } = globalThis as unknown as { axe: typeof axe };
  const include = selectors.filter((each) => document.querySelector(each)).map((each) => [each]);
  if (include.length === 0) return [];
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await runner.run(
    { include },
    {
      resultTypes: ['violations'],
      // Not stylesheets, which no rule of these reads.
      preload: { assets: ['media'] },
      runOnly: isForColours ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: tags },
    },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${help} (${id}): ${html.slice(0, 80)}`),
  );
}

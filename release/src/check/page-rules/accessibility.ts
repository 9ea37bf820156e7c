import axe from 'axe-core';
import { summarizeList } from '../summarize-list.ts';
import { visitors } from '../browser/visitors.ts';
import { newSightings, type PageRule } from './page-rule.ts';

/** axe finds no violation that the live page does not have. Colours are compared in both themes. */
export const accessibility: PageRule = {
  name: 'accessibility',
  visitors: ['desktop', 'phone'],
  async see(visit, { remotes, shell }, live) {
    const slots =
      shell === undefined ? [...remotes.keys()].map((remote) => `[data-remote="${remote}"]`) : ['html'];
    const sightings = await newSightings(visit, live, async ({ world, visitor }) => {
      await world.runScript(axe.source);
      return world.run(
        accessibilityViolations,
        slots,
        visitor === visitors.phone ? ['color-contrast'] : null,
      );
    });
    if (sightings.length === 0) return [];
    const texts = [...new Set(sightings.map(({ text }) => text))];
    return [{ text: `is less accessible than the live version: ${summarizeList(texts)}` }];
  },
};

/** Runs in the page, after axe. */
async function accessibilityViolations(slots: readonly string[], rules: readonly string[] | null) {
  const { axe: runner } = globalThis as unknown as { axe: typeof axe };
  const include = slots.flatMap((slot) => (document.querySelector(slot) ? [[slot]] : []));
  if (include.length === 0) return [];
  const { violations } = await runner.run(
    { include },
    {
      resultTypes: ['violations'],
      runOnly: rules
        ? { type: 'rule', values: [...rules] }
        : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
    },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => ({ key: id, text: `${help} (${id}): ${html.slice(0, 80)}` })),
  );
}

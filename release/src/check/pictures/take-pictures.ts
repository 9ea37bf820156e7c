import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import { visitors, type Visitor, type VisitorName } from '../browser/visitors.ts';

/** Limit of a picture, in pixels. What is below is cut off, because it would need too much memory. */
const maxHeight = 16_000;
/** Limit of a screenshot, in milliseconds. */
const timeout = 15_000;

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** The blocks of some remotes in one theme. */
export const picture = z.object({
  /** Width of the window and theme: `390-dark`. */
  name: z.string(),
  /** PNG with all blocks, in Base64. */
  screenshot: z.string(),
  /** Block, by its exposed key → its place on the screenshot, in pixels. */
  blocks: z.record(z.string(), box),
});
export type Picture = z.infer<typeof picture>;

/** Takes a picture of the blocks of some remotes in each theme. None if it takes too long, because pictures only inform people. */
export function takePictures(
  page: Page,
  visitor: VisitorName,
  remotes: readonly string[],
): Promise<readonly Picture[]> {
  return takeInThemes(page, visitors[visitor].settings, remotes).catch(() => []);
}

async function takeInThemes(
  page: Page,
  { viewport: { width }, colorScheme: own = 'light' }: Visitor['settings'],
  remotes: readonly string[],
): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  // The visitor's own is the last one, in which journeys begin.
  for (const colorScheme of [own === 'dark' ? 'light' : 'dark', own] as const) {
    await page.emulateMedia({ colorScheme });
    const boxes = await page.evaluate(boxesOfBlocks, remotes);
    // Checked, because the page's scripts can change the names, and they become keys in the store.
    const named = Object.entries(boxes).filter(([name]) => /^[\w-]{1,60}$/.test(name));
    if (named.length === 0) return [];
    const top = Math.min(...named.map(([, { y }]) => y));
    const bottom = Math.min(top + maxHeight, Math.max(...named.map(([, { y, height }]) => y + height)));
    const clip = { x: 0, y: top, width, height: bottom - top };
    const screenshot = await page.screenshot({ fullPage: true, clip, animations: 'disabled', timeout });
    await page.evaluate(() => void document.adoptedStyleSheets.pop());
    pictures.push({
      name: `${width}-${colorScheme}`,
      screenshot: screenshot.toString('base64'),
      blocks: Object.fromEntries(named.map(([name, box]) => [name, { ...box, y: box.y - top }])),
    });
  }
  return pictures;
}

/** Runs in the page: the places of the remotes' blocks, in pixels from its top. Lays out sections that the browser skips. */
async function boxesOfBlocks(remotes: readonly string[]) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets.push(sheet);
  scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await document.fonts.ready;
  const boxes: Picture['blocks'] = {};
  for (const slot of document.querySelectorAll<HTMLElement>('[data-remote]')) {
    const { remote = '', exposed = '' } = slot.dataset;
    const range = document.createRange();
    range.selectNodeContents(slot);
    const { left, top, right, bottom } = range.getBoundingClientRect();
    const [x, y] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
    const [width, height] = [Math.min(innerWidth, Math.ceil(right)) - x, Math.ceil(bottom) - y];
    if (remotes.includes(remote) && width > 0 && height > 0)
      boxes[exposed.replace('./', '')] = { x, y, width, height };
  }
  return boxes;
}

import type { Page } from 'playwright-core';

/** Limit of a picture, in pixels. What is below is cut off, because it would need too much memory. */
const maxHeight = 16_000;
/** Limit of a screenshot, in milliseconds. */
const timeout = 15_000;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The blocks of some remotes in one theme. */
export interface Picture {
  /** Width of the window and theme: `390-dark`. */
  readonly name: string;
  /** PNG with all blocks, in Base64. */
  readonly screenshot: string;
  /** Block, by its exposed key → its place on the screenshot, in pixels. */
  readonly blocks: Readonly<Record<string, Box>>;
}

/** Takes a picture of the blocks of some remotes in each theme. Leaves the page in the last one. */
export async function takePictures(
  page: Page,
  remotes: readonly string[],
  themes: readonly ('light' | 'dark')[],
): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  const { width = 0 } = page.viewportSize() ?? {};
  for (const colorScheme of themes) {
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
  const boxes: Record<string, Box> = {};
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

import type { Page } from 'playwright-core';

/** Limit of the pictures in one theme, in pixels from the top of the first block. What is below is cut off, because it would need too much memory. */
const maxHeight = 16_000;
/** Number of slots of the remotes that are pictured, from the top of the page. */
const maxSlots = 40;
/** Limit of a screenshot, in milliseconds. */
const timeout = 15_000;

/** A block on a screenshot. */
export interface Picture {
  /** PNG, with all blocks. */
  readonly screenshot: Buffer;
  /** Place of the block on the screenshot, in pixels. */
  readonly box: Box;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Name of a block, with width and theme → its picture: `pricing-390-dark`. */
export type Pictures = ReadonlyMap<string, Picture>;

/** Takes pictures of the blocks of some remotes, in both themes. Leaves the page in the last one. */
export async function takePictures(
  page: Page,
  remotes: readonly string[],
  themes: readonly ('light' | 'dark')[],
): Promise<Pictures> {
  const pictures = new Map<string, Picture>();
  const { width = 0 } = page.viewportSize() ?? {};
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const blocks = nameBlocks(await page.evaluate(boxesOfBlocks, { remotes, maxSlots }));
    if (blocks.length === 0) continue;
    const top = Math.min(...blocks.map(({ box }) => box.y));
    const bottom = Math.min(top + maxHeight, Math.max(...blocks.map(({ box }) => box.y + box.height)));
    const clip = { x: 0, y: top, width, height: bottom - top };
    const screenshot = await page.screenshot({ fullPage: true, clip, animations: 'disabled', timeout });
    for (const { name, box } of blocks) {
      if (box.y >= bottom) continue;
      const height = Math.min(box.height, bottom - box.y);
      pictures.set(`${name}-${width}-${colorScheme}`, {
        screenshot,
        box: { ...box, y: box.y - top, height },
      });
    }
  }
  await page.evaluate(() => void document.adoptedStyleSheets.splice(-2));
  return pictures;
}

interface NamedBlock {
  readonly name: string;
  readonly box: Box;
}

/** Names blocks by their exposed key: `pricing`, and a second one `pricing-2`. */
function nameBlocks(blocks: readonly (Box & { readonly exposed: string })[]): readonly NamedBlock[] {
  const counts = new Map<string, number>();
  return blocks.flatMap(({ exposed, ...box }) => {
    // Checked, because the page's scripts can change the attribute, and the name becomes a key in the store.
    const [, block] = /^\.\/([\w-]{1,60})$/.exec(exposed) ?? [];
    if (block === undefined || box.width < 1 || box.height < 1) return [];
    const count = (counts.get(block) ?? 0) + 1;
    counts.set(block, count);
    return [{ name: count === 1 ? block : `${block}-${count}`, box }];
  });
}

/** Runs in the page: the boxes of the remotes' slots, in pixels from the top of the document. Lays out sections that the browser skips. */
async function boxesOfBlocks({ remotes, maxSlots }: { remotes: readonly string[]; maxSlots: number }) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets.push(sheet);
  scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await document.fonts.ready;
  const slots = [...document.querySelectorAll<HTMLElement>('[data-remote]')].filter((slot) =>
    remotes.includes(slot.dataset['remote'] ?? ''),
  );
  return slots.slice(0, maxSlots).flatMap((slot) => {
    const { exposed = '' } = slot.dataset;
    const boxes = [...slot.children].map((child) => child.getBoundingClientRect());
    if (boxes.length === 0) return [];
    const left = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.left))));
    const top = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.top))));
    const right = Math.min(innerWidth, Math.ceil(Math.max(...boxes.map((box) => box.right))));
    const bottom = Math.ceil(Math.max(...boxes.map((box) => box.bottom)));
    return [{ exposed, x: left, y: top, width: right - left, height: bottom - top }];
  });
}

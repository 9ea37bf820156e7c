import type { Page } from 'playwright-core';
import { settlePage } from '../browser/settle-page.ts';

/** Limit of one screenshot, in pixels. A block that is higher is cut off, because its picture would need too much memory. */
const maxHeight = 10_000;
/** Number of slots of the remotes that are pictured, from the top of the page. */
const maxSlots = 40;

/** A block on a screenshot. */
export interface Picture {
  /** PNG. Shared by blocks that are near each other, because a screenshot takes about as long for one block as for many. */
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

/** Name of a block, with width and theme → its picture: `pricing-390-dark`. The blocks of a screenshot follow each other. */
export type Pictures = ReadonlyMap<string, Picture>;

export const pictureThemes = ['light', 'dark'] as const;

/** Takes pictures of the blocks of some remotes, in a window of a width in pixels. */
export async function takePictures(
  page: Page,
  width: number,
  theme: (typeof pictureThemes)[number],
  remotes: readonly string[],
): Promise<Pictures> {
  const pictures = new Map<string, Picture>();
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  const session = await page.context().newCDPSession(page);
  await settlePage(page);
  const blocks = nameBlocks(await page.evaluate(boxesOfBlocks, { remotes, maxSlots }));
  for (const { top, bottom, group } of groupBlocks(blocks)) {
    const { data } = await session.send('Page.captureScreenshot', {
      clip: { x: 0, y: top, width, height: bottom - top, scale: 1 },
      captureBeyondViewport: true,
      // Compresses less, which takes a third of the time.
      optimizeForSpeed: true,
    });
    const screenshot = Buffer.from(data, 'base64');
    for (const { name, box } of group) {
      pictures.set(`${name}-${width}-${theme}`, { screenshot, box: { ...box, y: box.y - top } });
    }
  }
  await session.detach();
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

/** Groups the blocks that fit on one screenshot, from the top of the page. */
function groupBlocks(blocks: readonly NamedBlock[]) {
  const groups: { top: number; bottom: number; group: NamedBlock[] }[] = [];
  for (const { name, box } of blocks.toSorted((one, other) => one.box.y - other.box.y)) {
    const block = { name, box: { ...box, height: Math.min(box.height, maxHeight) } };
    const bottom = box.y + block.box.height;
    const last = groups.at(-1);
    if (last && bottom - last.top <= maxHeight) {
      last.group.push(block);
      last.bottom = Math.max(last.bottom, bottom);
    } else {
      groups.push({ top: box.y, bottom, group: [block] });
    }
  }
  return groups;
}

/** Runs in the page: the boxes of the remotes' slots, in pixels from the top of the document. */
function boxesOfBlocks({ remotes, maxSlots }: { remotes: readonly string[]; maxSlots: number }) {
  scrollTo({ top: 0, left: 0, behavior: 'instant' });
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

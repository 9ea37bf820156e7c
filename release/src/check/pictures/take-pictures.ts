import type { Visit } from '../browser/visit-page.ts';
import type { VisitorName } from '../browser/visitors.ts';

/** Visitors whose blocks are pictured, with the width of the window for it, in pixels. */
const pictureWidths: Partial<Readonly<Record<VisitorName, number>>> = { desktop: 1280, phone: 390 };

/** In pixels. A block that is higher is cut off, because its picture would need too much memory. */
const maxHeight = 10_000;
const maxBlocks = 40;

/** PNG files by name: `pricing-390-dark`. */
export type Pictures = ReadonlyMap<string, Buffer>;

/** Takes pictures of the blocks of some remotes in both themes. Takes none of a visitor without a width. Rejects if the page does not let it. */
export async function takePictures(
  { page, world }: Visit,
  visitor: VisitorName,
  remotes: readonly string[],
): Promise<Pictures> {
  const pictures = new Map<string, Buffer>();
  const width = pictureWidths[visitor];
  if (width === undefined) return pictures;
  await page.setViewportSize({ width, height: 800 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const boxes = await world.run(boxesOfBlocks, remotes, maxBlocks);
    const counts = new Map<string, number>();
    for (const { exposed, ...clip } of boxes) {
      // The page's scripts can change it.
      const [, block] = /^\.\/([\w-]{1,60})$/.exec(exposed) ?? [];
      if (block === undefined || clip.width < 1 || clip.height < 1) continue;
      const count = (counts.get(block) ?? 0) + 1;
      counts.set(block, count);
      const name = count === 1 ? block : `${block}-${count}`;
      const picture = await page.screenshot({
        clip: { ...clip, height: Math.min(clip.height, maxHeight) },
        fullPage: true,
        animations: 'disabled',
      });
      pictures.set(`${name}-${width}-${colorScheme}`, picture);
    }
  }
  return pictures;
}

/** Runs in the page: the boxes of the remotes' slots, in pixels of the document, when the last change of the window is shown. */
async function boxesOfBlocks(remotes: readonly string[], maxBlocks: number) {
  scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  const slots = [...document.querySelectorAll<HTMLElement>('[data-remote]')];
  return slots.slice(0, maxBlocks).flatMap((slot) => {
    const { remote = '', exposed = '' } = slot.dataset;
    const boxes = [...slot.children].map((child) => child.getBoundingClientRect());
    if (!remotes.includes(remote) || boxes.length === 0) return [];
    const left = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.left))));
    const top = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.top))));
    const right = Math.min(innerWidth, Math.ceil(Math.max(...boxes.map((box) => box.right))));
    const bottom = Math.ceil(Math.max(...boxes.map((box) => box.bottom)));
    return [{ exposed, x: left, y: top, width: right - left, height: bottom - top }];
  });
}

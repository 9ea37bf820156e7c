import type { Tab } from '../browser/open-tab.ts';
import { visitors } from '../browser/visitors.ts';

/** Limit of the height of a picture, in pixels. The rest is cut off, because it would need too much memory. */
const maxHeight = 16_000;
/** Limit of a screenshot, in milliseconds. */
const timeout = 15_000;

/** Width of the window and theme, `390-dark` → PNG in Base64. */
export type Pictures = Readonly<Record<string, string>>;

/**
 * Takes a picture of the region that spans all slots of some remotes, in each theme. None without remotes, and for visitors that do not
 * inspect thoroughly. `undefined` if it fails or takes too long, because pictures only inform people.
 */
export async function takePictures(
  { page, visitor }: Tab,
  remotes: readonly string[],
): Promise<Pictures | undefined> {
  const { settings, inspects } = visitors[visitor];
  const { viewport, colorScheme: own = 'light' } = settings;
  const pictures: Record<string, string> = {};
  if (inspects !== 'thoroughly' || remotes.length === 0) return pictures;
  try {
    // The visitor's own is the last one, in which journeys begin.
    for (const colorScheme of [own === 'dark' ? 'light' : 'dark', own] as const) {
      await page.emulateMedia({ colorScheme });
      const { y, bottom } = await page.evaluate(regionOfSlots, remotes);
      const clip = { x: 0, y, width: viewport.width, height: Math.min(bottom - y, maxHeight) };
      const image = await page.screenshot({ fullPage: true, clip, animations: 'disabled', timeout });
      pictures[`${viewport.width}-${colorScheme}`] = image.toString('base64');
    }
    return pictures;
  } catch {
    // A page that has crashed cannot follow journeys either.
    await page.emulateMedia({ colorScheme: own }).catch(() => undefined);
    return undefined;
  }
}

/** Runs in the page: the region, in pixels from the top of the page. */
async function regionOfSlots(remotes: readonly string[]) {
  scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await document.fonts.ready;
  const range = document.createRange();
  const slots = document.querySelectorAll(remotes.map((remote) => `[data-remote="${remote}"]`).join());
  const [first, last] = [slots.item(0), slots.item(slots.length - 1)];
  range.setStartBefore(first);
  range.setEndAfter(last);
  const { top, bottom } = range.getBoundingClientRect();
  return { y: Math.max(0, Math.floor(top)), bottom: Math.ceil(bottom) };
}

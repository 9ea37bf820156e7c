import type { Tab } from '../browser/open-tab.ts';
import { limits } from '../browser/pace.ts';
import { pollWhileFound } from '../browser/poll-while-found.ts';
import type { Observation } from './invariants.ts';
import { isTransparent, waitForFrames } from './read-page.ts';

/** Over how many elements the page may fail to scroll. */
const maxTraps = 3;

/**
 * Scrolls by the wheel or a finger over each child of some elements, which must not stay transparent.
 *
 * @param selector of these elements
 */
export async function scrollPage(
  tab: Tab,
  selector: string,
  { byTouch }: { readonly byTouch: boolean },
): Promise<Observation> {
  const { page } = tab;
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const [x, y] = [width / 2, height / 2];
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
  const swipe = async (distance: number) => {
    await touch('touchStart', y);
    for (let part = 0.25; part <= 1; part += 0.25) await touch('touchMove', y - distance * part);
    // A finger that rests before it leaves lets the page stand still.
    await page.evaluate(waitForFrames);
    await touch('touchEnd');
  };
  await page.mouse.move(x, y);
  const traps: string[] = [];
  const hidden: string[] = [];
  for (const child of await page.locator(`:is(${selector}) > :not(head)`).all()) {
    if (traps.length === maxTraps) break;
    const distance = await child.evaluate((element) => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const below = document.documentElement.scrollHeight - innerHeight - scrollY;
      return below > 100 ? 300 : scrollY > 100 ? -300 : 0;
    });
    if (await pollWhileFound(tab.limitOf(limits.fade), () => child.evaluate(isTransparent)))
      hidden.push(await child.evaluate((element) => describeElement(element)));
    const scroll = () => (byTouch ? swipe(distance) : page.mouse.wheel(0, distance));
    if (distance !== 0 && (await staysInPlace(tab, scroll)))
      traps.push(await child.evaluate((element) => describeElement(element)));
  }
  await session.detach();
  // Ends the swing of the last swipe.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  return { traps, hidden };
}

/** Whether a page stays where it is when a visitor tries to scroll it. */
export async function staysInPlace(tab: Tab, scroll: () => Promise<unknown>): Promise<true | undefined> {
  // Read in a frame, because a page without frames does not scroll.
  const readPlace = () =>
    tab.page.evaluate(() => new Promise<number>((done) => requestAnimationFrame(() => done(scrollY))));
  const before = await readPlace();
  const scrollAndPoll = async () => {
    await scroll();
    const findStill = async () => (Math.abs((await readPlace()) - before) > 60 ? undefined : true);
    return pollWhileFound(tab.limitOf(limits.scroll) / 2, findStill);
  };
  // Twice, because Chromium drops a scroll if no frame is drawn for a while.
  return (await scrollAndPoll()) && (await scrollAndPoll());
}

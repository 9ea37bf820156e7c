import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { OpenPage } from '../browser/open-page.ts';
import { contentTooWide, readPage, walkThrough } from './read-page.ts';
import type { Observation } from './invariants.ts';

/** How often Tab is pressed. */
const tabs = 100;

/**
 * Looks at a page, and uses it as everybody does: scrolls, presses Tab, and prints.
 *
 * @param isUsed whether it is scrolled and walked through by keys
 */
export async function observePage({ page, departures }: OpenPage, isUsed: boolean): Promise<Observation> {
  const opened = await page.evaluate(readPage);
  const walked = await page.evaluate(walkThrough);
  const width = page.viewportSize()?.width ?? 0;
  const tooWide = await page.evaluate(contentTooWide);
  const used = isUsed ? { ...(await scroll(page, width)), tab: await pressTab(page) } : {};
  await page.emulateMedia({ media: 'print' });
  const { hidden } = await page.evaluate(readPage);
  const printed = hidden.filter((block) => !opened.hidden.includes(block));
  await page.emulateMedia({ media: null });
  return { ...opened, ...walked, ...used, 'sideways scroll': tooWide, printed, departures: [...departures] };
}

/** What WCAG 2.2 asks for (reflow). */
export async function observeReflow({ page }: OpenPage): Promise<Observation> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  const tooWide = await page.evaluate(contentTooWide);
  if (size) await page.setViewportSize(size);
  return { 'sideways scroll at 320 px': tooWide };
}

async function scroll(page: Page, width: number): Promise<Observation> {
  const place = () => page.evaluate(() => scrollY);
  const movesBy = async (act: () => Promise<unknown>) => {
    const before = await place();
    await act();
    for (let looks = 0; looks < 15; looks += 1) {
      if (Math.abs((await place()) - before) > 60) return ['the page scrolls'];
      await delay(40);
    }
    return [];
  };
  await page.mouse.move(width / 2, 500);
  const wheel = await movesBy(() => page.mouse.wheel(0, 600));
  const session = await page.context().newCDPSession(page);
  const gesture = { x: width / 2, y: 600, yDistance: -300, gestureSourceType: 'touch', speed: 4000 } as const;
  const touch =
    width < 500 ? await movesBy(() => session.send('Input.synthesizeScrollGesture', gesture)) : [];
  await session.detach();
  const keys = await movesBy(() => page.keyboard.press('PageDown'));
  return { wheel, touch, keys };
}

/** The elements that Tab reaches, in order. */
async function pressTab(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    const reached: string[] = [];
    Object.assign(globalThis, { reachedByTab: reached });
    const note = ({ target }: Event) => {
      if (!(target instanceof Element)) return;
      const remote = target.closest<HTMLElement>('[data-remote]')?.dataset['remote'] ?? 'shell';
      const name =
        target.getAttribute('aria-label') ??
        (target.textContent.trim().slice(0, 40) || target.getAttribute('name'));
      reached.push(`${remote}: ${target.localName} "${name ?? ''}"`);
    };
    addEventListener('focusin', note, true);
  });
  await Promise.all(Array.from({ length: tabs }, () => page.keyboard.press('Tab')));
  return page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    scrollTo({ top: 0, behavior: 'instant' });
    return Reflect.get(globalThis, 'reachedByTab') as string[];
  });
}

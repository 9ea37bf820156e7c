import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { limits } from './pace.ts';
import { OutOfTime } from './page-failure.ts';
import { pollWhileFound } from './poll-while-found.ts';

/** How long a patient visitor waits for late content, in milliseconds. */
const patience = 3_500;

/**
 * Waits until a visitor can use a page that was opened. Rejects with an {@link OutOfTime} if it stays covered.
 *
 * @param limitOf makes a limit longer where the live page takes long
 * @param options `isEarly`: does not wait for the parts' code. `isPatient`: waits for the splash and late content.
 */
export async function waitUntilUsable(
  page: Page,
  limitOf: (limit: number) => number,
  { isEarly, isPatient }: Readonly<Record<'isEarly' | 'isPatient', boolean>>,
): Promise<void> {
  // The event is that of the shell's `splash-scripts.ts`.
  if (!isPatient) await page.evaluate(() => dispatchEvent(new Event('end-splash')));
  if (!isEarly) await waitUntilStarted(page, limitOf(limits.start));
  const wait = isPatient ? delay(patience) : undefined;
  const limit = limitOf(limits.uncover);
  const cover = await pollWhileFound(limit, () => page.evaluate(coverOfPage));
  if (cover !== undefined)
    throw new OutOfTime('keeps the page covered or inert for more than', limit, `: ${cover}`);
  await wait;
  await page.evaluate(releaseShadowingFields);
}

/** Waits until the code of the parts has come, at most for some milliseconds. */
export async function waitUntilStarted(page: Page, limit: number): Promise<void> {
  await pollWhileFound(limit, () => page.evaluate(startingPart));
}

/** Runs in the page: a layer over the page, or what makes it inert. */
function coverOfPage(): string | undefined {
  const hit = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  // Not as a property, because a form with a field of this name would hide it.
  if (hit && Element.prototype.closest.call(hit, 'main, [data-remote]')) return undefined;
  let cover = hit;
  while (cover && getComputedStyle(cover).position !== 'fixed') cover = cover.parentElement;
  cover ??= document.querySelector('[inert]:has(main), main[inert]');
  return cover ? describeElement(cover) : undefined;
}

/** Runs in the page: a slot whose code loads, or that the shell has not begun with. The attributes are those of `page-markup.ts`. */
function startingPart(): string | undefined {
  const slot = document.querySelector('[data-remote]:not([data-state]), [data-state="loading"]');
  return slot?.getAttribute('data-remote') ?? undefined;
}

/**
 * Runs in the page: takes fields out of their form whose name hides a property of it, such as `children`, because libraries would find
 * the field.
 */
function releaseShadowingFields(): void {
  for (const field of document.querySelectorAll('form [name]')) {
    const name = field.getAttribute('name') ?? '';
    if (name !== 'id' && name in Element.prototype) field.setAttribute('form', '');
  }
}

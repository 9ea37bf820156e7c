import type { Locator } from '@playwright/test';
import { toastRegion, toasts } from '../driver/landing-page.ts';
import { acceptLeads, leadForms, sendLead } from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

const [contact] = leadForms;

/** Number of events of a swipe. */
const steps = 4;

/** Drags an element sideways, with a finger or with the mouse, and lets go. The distance is in pixels. */
async function swipe(element: Locator, distance: number, withFinger: boolean): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not visible.');
  const x = Math.round(box.x + box.width / 3);
  const y = Math.round(box.y + box.height / 2);
  const stops = Array.from({ length: steps }, (_, index) => x + (distance * (index + 1)) / steps);
  const page = element.page();

  if (!withFinger) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (const stop of stops) await page.mouse.move(stop, y);
    await page.mouse.up();
    return;
  }
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: number[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((at) => ({ x: at, y })) });
  await touch('touchStart', x);
  for (const stop of stops) await touch('touchMove', stop);
  await touch('touchEnd');
  await devtools.detach();
}

test('toasts: only a long swipe to the right dismisses one', async ({ isMobile, openSite }) => {
  const page = await openSite();
  await acceptLeads(page, 'Your message is here.');
  await sendLead(page, contact);
  const toast = toasts(page).filter({ hasText: 'Your message is here.' });
  await expect(toast).toBeVisible();
  // Shorter than `swipeThreshold` of the shell, 50 px; and to the left.
  for (const distance of [45, -120]) {
    await swipe(toast, distance, isMobile);
    await expect(toast).toHaveAttribute('data-state', 'open');
    await expect(toast).not.toHaveAttribute('data-swipe', 'end');
  }
  await swipe(toast, 60, isMobile);
  await expect(toast).toHaveCount(0);
});

test('toasts: their empty region does not cover the page', async ({ openSite, page }) => {
  await openSite();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  // Loads the region.
  await page.getByRole('textbox', { name: 'Name' }).press('Shift');
  const region = toastRegion(page);
  await region.waitFor({ state: 'attached' });
  const inRegion = await region.evaluate(
    (element, [x, y]) => element.contains(document.elementFromPoint(x, y)),
    [width - 40, height - 8] as const,
  );
  expect(inRegion).toBe(false);
});

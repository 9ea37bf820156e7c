import type { Locator } from '@playwright/test';

const steps = 4;

/** Drags an element sideways by so many pixels, with a finger or with the mouse, and lets go. */
export async function swipe(element: Locator, distance: number, withFinger: boolean): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error('What is to be swiped is not visible.');
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

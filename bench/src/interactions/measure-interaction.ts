import type { Browser, CDPSession, Page } from '@playwright/test';
import { profiles } from '../page/measure/profiles.ts';
import {
  observeInteractions,
  type InteractionTiming,
  type ObservedInteractions,
} from './observe-interactions.ts';
import type { VisitorInteraction } from './visitor-interactions.ts';

/** A measurement of one use of an interaction. */
export interface Use {
  readonly timing: InteractionTiming;
  /** From the end of the press until the result is shown, in milliseconds. */
  readonly shownAfter: number | undefined;
}

/** Uses in one page: the first one, and the later ones. */
export interface Uses {
  readonly first: Use;
  readonly repeated: readonly Use[];
}

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

/** How long a finger stays on the screen, in milliseconds. */
const pressDuration = 80;
const repetitions = 2;
const timeout = 30_000;

/** Shorter events are not reported. */
const unreported: InteractionTiming = { duration: 16, delay: 0, processing: 0, presentation: 0 };

/** Opens the page as a first-time visitor, and uses an interaction several times. */
export async function measureInteraction(
  browser: Browser,
  url: string,
  interaction: VisitorInteraction,
): Promise<Uses> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(timeout);
    await page.addInitScript(observeInteractions);
    const session = await context.newCDPSession(page);
    await open(page, url);
    await interaction.prepare?.(page);
    const first = await measureUse(page, session, interaction);
    const repeated: Use[] = [];
    for (let use = 0; use < repetitions; use += 1) {
      await interaction.revert(page);
      repeated.push(await measureUse(page, session, interaction));
    }
    return { first, repeated };
  } finally {
    await context.close();
  }
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'load' });
  await page.locator('#splash').waitFor({ state: 'detached' });
  for (const remote of ['mf-header', 'mf-pricing', 'mf-leads'])
    await page.locator(`[data-remote="${remote}"][data-version]`).waitFor({ state: 'attached' });
}

async function measureUse(page: Page, session: CDPSession, interaction: VisitorInteraction): Promise<Use> {
  await page.locator('#splash').waitFor({ state: 'detached' });
  const target = interaction.target(page);
  // A tap near the edge would scroll the page.
  await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await settle(page);
  await page.evaluate(
    (result) =>
      (globalThis as unknown as { observedInteractions: ObservedInteractions }).observedInteractions.reset(
        result,
      ),
    interaction.result,
  );
  const box = await target.boundingBox();
  if (!box) throw new Error(`${interaction.name}: the target is not visible.`);
  await slowDown(session, profiles.slow.slowdown);
  await tap(session, box.x + box.width / 2, box.y + box.height / 2);
  for (const key of interaction.text ?? '') await page.keyboard.press(key, { delay: pressDuration });
  const { result } = interaction;
  if (result !== undefined) {
    await page.waitForFunction(
      () =>
        (globalThis as unknown as { observedInteractions: ObservedInteractions }).observedInteractions
          .shownAfter !== undefined,
    );
  }
  await settle(page);
  await slowDown(session, 1);
  const { timings, shownAfter } = await page.evaluate(() => {
    const { timings: all, shownAfter: shown } = (
      globalThis as unknown as { observedInteractions: ObservedInteractions }
    ).observedInteractions;
    return { timings: all, shownAfter: shown };
  });
  const timing = timings.toSorted((a, b) => b.duration - a.duration)[0] ?? unreported;
  return { timing, shownAfter };
}

async function slowDown(session: CDPSession, rate: number): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

async function tap(session: CDPSession, x: number, y: number): Promise<void> {
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await new Promise((resolve) => setTimeout(resolve, pressDuration));
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Waits until frames are short again, so that animations and the browser's entries are complete. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const until = performance.now() + 600;
    while (performance.now() < until) await frame();
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }));
  });
}

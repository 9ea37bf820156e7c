import type { Page } from 'playwright-core';

/** Parameters of the function in the page. */
const motion = {
  /** How often animations and fonts may lead to others. A page that still changes then is looked at as it is. */
  maxTurns: 10,
  /** For the browser to become idle after a frame, if the page computes all the time. In milliseconds. */
  idleLimit: 1000,
} as const;

/** Settles a page for pictures: shows every section, applies its fonts and ends its animations. */
export async function settlePage(page: Page): Promise<void> {
  await page.evaluate(showEverything);
  await page.evaluate(endMotion, motion);
}

/** Runs in the page: lays out sections that the browser skips far from the window, and hides the caret. */
function showEverything(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important; caret-color: transparent !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Runs in the page. */
async function endMotion({ maxTurns, idleLimit }: typeof motion): Promise<void> {
  let isMoving = true;
  for (let turn = 0; isMoving && turn < maxTurns; turn += 1) {
    // What the last turn, or a change of the window, leads to.
    await new Promise<unknown>((done) =>
      requestAnimationFrame(() => requestIdleCallback(done, { timeout: idleLimit })),
    );
    // Lays out the page, which begins to load its fonts.
    document.documentElement.getBoundingClientRect();
    const isLoading = document.fonts.status === 'loading';
    await document.fonts.ready;
    const animations = document.getAnimations().filter(({ playState }) => playState !== 'finished');
    for (const animation of animations) {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
      else animation.finish();
    }
    isMoving = isLoading || animations.length > 0;
  }
}

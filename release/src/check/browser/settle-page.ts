import type { IsolatedWorld } from './isolated-world.ts';

/** Parameters of the function in the page. */
const motion = {
  /** How often animations and fonts may lead to others. A page that still changes then is looked at as it is. */
  maxTurns: 10,
  /** For the browser to become idle after a frame, if the page computes all the time. In milliseconds. */
  idleLimit: 1000,
} as const;

/** Settles a page: applies its fonts and ends its animations, so that two visits of the same page show the same. */
export async function settlePage(world: IsolatedWorld): Promise<void> {
  await world.run(endMotion, motion);
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

import type { Page } from 'playwright-core';
import type { IsolatedWorld } from './isolated-world.ts';

/** Parameters of the functions in the page. Times in milliseconds. */
const motion = {
  /** Timers with at least this delay fire only when the page settles, because more of them would fire before on a busy machine. */
  long: 1000,
  /** Time of the page until which its timers fire when it settles. */
  horizon: 10_000,
  /**
   * How often timers, animations and fonts may lead to others. A page that still changes then, such as one with a clock, is
   * stopped where it is.
   */
  maxTurns: 40,
  /** For the browser to become idle after a frame, if the page computes all the time. */
  idleLimit: 1000,
  /** Event on `window` that fires the next timer. Its default is prevented if there was one. */
  fire: 'fire-next-timer',
  /** Event on `window` that stops the timers that are left. */
  stop: 'stop-timers',
} as const;

/** Prepares a page, before it opens, for {@link settlePage}. */
export async function prepareToSettle(page: Page): Promise<void> {
  await page.addInitScript(holdTimers, motion);
}

/**
 * Settles a page: applies its fonts, fires its timers in their order without waiting for their delays, and ends its animations.
 * Two visits of the same page then show the same, however busy the machine is.
 */
export async function settlePage(world: IsolatedWorld): Promise<void> {
  await world.run(endMotion, motion);
}

/** Runs in the page. */
async function endMotion({ maxTurns, idleLimit, fire, stop }: typeof motion): Promise<void> {
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
    const hasTimer = !dispatchEvent(new Event(fire, { cancelable: true }));
    isMoving = isLoading || animations.length > 0 || hasTimer;
  }
  dispatchEvent(new Event(stop));
}

/**
 * Runs in the page before its scripts, and replaces its timers. The time that they wait for advances only from one to the next, so
 * the load of the machine does not change their order.
 */
function holdTimers({ long, horizon, fire, stop }: typeof motion): void {
  interface Wait {
    readonly due: number;
    readonly end: () => void;
    /** Missing while the timer is held. */
    timer?: number | undefined;
  }
  const begin = window.setTimeout.bind(window);
  const cancel = window.clearTimeout.bind(window);
  const waits = new Map<number, Wait>();
  let now = 0;
  let lastId = 0;
  const plan = (id: number, delay: number, end: () => void) => {
    const timer = delay < long ? begin(end, delay) : undefined;
    waits.set(id, { due: now + delay, end, timer });
  };
  const createTimer =
    (repeats: boolean) =>
    (handler: TimerHandler, delay?: number, ...values: readonly unknown[]) => {
      // Text, which the page's policy refuses.
      if (typeof handler !== 'function') return begin(handler, delay);
      lastId += 1;
      const id = lastId;
      const time = Math.max(Number(delay) || 0, 0);
      const end = () => {
        if (repeats) plan(id, time, end);
        else waits.delete(id);
        Reflect.apply(handler, window, values);
      };
      plan(id, time, end);
      return id;
    };
  const clear = (id?: number) => {
    cancel(waits.get(Number(id))?.timer);
    waits.delete(Number(id));
  };
  Object.assign(window, {
    setTimeout: createTimer(false),
    setInterval: createTimer(true),
    clearTimeout: clear,
    clearInterval: clear,
  });
  addEventListener(fire, (event) => {
    const limit = Math.max(horizon, now + long);
    const next = Math.min(...Array.from(waits.values(), ({ due }) => due));
    if (next > limit) return;
    event.preventDefault();
    now = Math.max(now, next);
    for (const wait of waits.values()) {
      if (wait.due > now) continue;
      cancel(wait.timer);
      wait.timer = begin(wait.end);
    }
  });
  addEventListener(stop, () => {
    for (const wait of waits.values()) {
      cancel(wait.timer);
      wait.timer = undefined;
    }
  });
}

/**
 * Limits of what a page takes in the check, in milliseconds, on a machine that has time for it. {@link Pace} makes them longer on one that
 * is busy. They are some ten times what a sound page takes.
 */
export const limits = {
  /** For a page to open, to answer, and to be uncovered, and for the parts to start. */
  open: 15_000,
  answer: 15_000,
  uncover: 6_000,
  start: 3_000,
  /** For the work of a `guard`, such as an observation of the page or a journey. */
  work: 40_000,
  /** For a page to scroll, for an element to fade in, for controls to do so, and for slots to run once they are used. */
  scroll: 2_000,
  fade: 1_500,
  controls: { one: 800, all: 2_500 },
  run: 5_000,
  /** For a step of a journey: at first, and alone on a page of its own. */
  step: [4_000, 10_000],
  /** For all visitors of a page. */
  check: 180_000,
} as const;

/** How many times as long as the live page a page may take. */
const ratio = 3;
/** How many times its limits the live page may take. Beyond, the machine is too busy to tell. */
const liveAllowance = 2;

/** A page whose time is measured. The limits of others follow from that of the live page. */
export interface Timed {
  readonly isLive: boolean;
  /** The largest fraction of a limit that it has taken. */
  largestFraction: number;
}

/** Makes the limits of a check longer, by the time that the live page takes on the same machine in the same check. */
export class Pace {
  /** Without a live page, a version has the time that it would have beside one that is nearly late. */
  hasNoLivePage = false;
  readonly #now: () => number;
  /** Fractions of their limits that live pages take at the moment. */
  readonly #running = new Set<() => number>();
  #liveFraction = 0;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** How many times as long as usual the limits of a version are. At least 1. Grows while the live page takes long. */
  get factor(): number {
    if (this.hasNoLivePage) return ratio * liveAllowance;
    return Math.max(1, ratio * Math.max(this.#liveFraction, ...[...this.#running].map((read) => read())));
  }

  /** Whether the live page has missed its usual limits. To wait for a step of a journey that fails takes less. */
  get isSlow(): boolean {
    return this.#liveFraction > 1;
  }

  /** A limit for one page, in milliseconds. */
  limitOf(limit: number, { isLive }: Timed): number {
    return limit * (isLive ? liveAllowance : this.factor);
  }

  /** Whether a page met its limits so clearly that the late live page, not the machine, is the cause. */
  isInTime({ largestFraction }: Timed): boolean {
    return largestFraction * ratio < liveAllowance;
  }

  /** Waits for work. After its limit, resolves as `late` does, which gets the milliseconds, and nothing awaits the work any more. */
  async within<Result, Late>(
    limit: number,
    timed: Timed,
    work: Promise<Result>,
    late: (after: number) => Late,
  ): Promise<Result | Late> {
    work.catch(() => undefined);
    const over = Promise.withResolvers<number>();
    const stop = this.start(limit, timed, over.resolve);
    return Promise.race([work, over.promise.then(late)]).finally(stop);
  }

  /** Calls back with the milliseconds once a limit is over. Returns a function that ends that. */
  start(limit: number, timed: Timed, over: (after: number) => void): () => void {
    const begin = this.#now();
    const fraction = () => (this.#now() - begin) / limit;
    let timer: NodeJS.Timeout | undefined;
    const poll = () => {
      const left = Math.round(this.limitOf(limit, timed) - fraction() * limit);
      if (left > 0) timer = setTimeout(poll, left);
      else over(fraction() * limit);
    };
    if (timed.isLive) this.#running.add(fraction);
    poll();
    return () => {
      clearTimeout(timer);
      this.#running.delete(fraction);
      timed.largestFraction = Math.max(timed.largestFraction, fraction());
      if (timed.isLive) this.#liveFraction = Math.max(this.#liveFraction, timed.largestFraction);
    };
  }
}

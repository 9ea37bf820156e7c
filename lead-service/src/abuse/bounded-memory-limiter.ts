import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Counts in memory, of which it takes no more than this many keys need. */
const mostKeys = 20_000;

export class BoundedMemoryLimiter extends RateLimiterMemory {
  readonly #known = new Set<string | number>();
  /** The known keys in a circle: each new one takes the place of the oldest. */
  readonly #circle: (string | number)[] = [];
  #next = 0;

  override penalty(key: string | number, points?: number): Promise<RateLimiterRes> {
    if (!this.#known.has(key)) this.#remember(key);
    return super.penalty(key, points);
  }

  #remember(key: string | number): void {
    const oldest = this.#circle[this.#next];
    if (oldest !== undefined) {
      this.#known.delete(oldest);
      void this.delete(oldest);
    }
    this.#known.add(key);
    this.#circle[this.#next] = key;
    this.#next = (this.#next + 1) % mostKeys;
  }
}

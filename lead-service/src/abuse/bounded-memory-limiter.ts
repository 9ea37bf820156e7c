import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Counts in memory, of which it takes no more than this many keys need: the oldest ones are forgotten. */
const mostKeys = 20_000;

export class BoundedMemoryLimiter extends RateLimiterMemory {
  readonly #keys = new Set<string | number>();

  override penalty(key: string | number, points?: number): Promise<RateLimiterRes> {
    this.#keys.add(key);
    if (this.#keys.size > mostKeys) void this.#forgetOldest();
    return super.penalty(key, points);
  }

  async #forgetOldest(): Promise<void> {
    const [oldest] = this.#keys;
    if (oldest === undefined) return;
    this.#keys.delete(oldest);
    await this.delete(oldest);
  }
}

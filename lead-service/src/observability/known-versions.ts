/** A version of a part. */
export interface PartVersion {
  readonly part: string;
  readonly version: string;
}

/**
 * The versions that have figures of their own: those that the live page names, and those that it named last before, so
 * that pages opened then still count. Visitors add none.
 */
export class KnownVersions {
  readonly #max: number;
  readonly #forget: (forgotten: PartVersion) => void;
  readonly #versions = new Map<string, Set<string>>();

  /**
   * @param max versions kept per part; the page names up to three
   * @param forget is called for each version that is no longer kept
   */
  constructor(max: number, forget: (forgotten: PartVersion) => void) {
    this.#max = max;
    this.#forget = forget;
  }

  has({ part, version }: PartVersion): boolean {
    return this.#versions.get(part)?.has(version) ?? false;
  }

  /** Keeps a version that the live page names. */
  keep({ part, version }: PartVersion): void {
    const versions = this.#versions.get(part) ?? new Set();
    this.#versions.set(part, versions);
    // Added again, it is the newest: the first one has not been named for the longest time.
    versions.delete(version);
    versions.add(version);
    const [oldest] = versions;
    if (versions.size <= this.#max || oldest === undefined) return;
    versions.delete(oldest);
    this.#forget({ part, version: oldest });
  }
}

/** A version of a part. */
export interface PartVersion {
  readonly part: string;
  readonly version: string;
}

/**
 * The versions with separate metrics: those that the live page names, and the last ones that it named before, so that
 * reports of pages opened earlier still count. Reports of visitors cannot add versions.
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

  /** Adds a version that the live page names. */
  keep({ part, version }: PartVersion): void {
    const versions = this.#versions.get(part) ?? new Set();
    this.#versions.set(part, versions);
    // Deleted and added again, so that the first entry is the least recently named version (LRU).
    versions.delete(version);
    versions.add(version);
    const [oldest] = versions;
    if (versions.size <= this.#max || oldest === undefined) return;
    versions.delete(oldest);
    this.#forget({ part, version: oldest });
  }
}

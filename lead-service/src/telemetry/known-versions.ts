/** Labels of one version of one part, as visitors report them. */
export interface VersionLabels {
  readonly part: string;
  readonly version: string;
  readonly group: string;
}

/**
 * Bounds how many versions have figures of their own: anybody can report any version. Those that nobody has seen for
 * the longest time are forgotten first.
 */
export class KnownVersions {
  readonly #most: number;
  readonly #forget: (labels: VersionLabels) => void;
  readonly #known = new Map<string, VersionLabels>();

  /** @param forget is called for each version that is forgotten */
  constructor(most: number, forget: (labels: VersionLabels) => void) {
    this.#most = most;
    this.#forget = forget;
  }

  see(labels: VersionLabels): void {
    const key = `${labels.part} ${labels.version} ${labels.group}`;
    // What is put in again goes to the end: the first one was not seen for the longest time.
    this.#known.delete(key);
    this.#known.set(key, labels);
    if (this.#known.size <= this.#most) return;
    const [oldest] = this.#known;
    if (oldest === undefined) return;
    this.#known.delete(oldest[0]);
    this.#forget(oldest[1]);
  }
}

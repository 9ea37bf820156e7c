/** The files of a site server: a folder on this machine, arranged like a directory store. */
export interface SiteFiles {
  /** Path of what is below `current` (the live pages), `parts/<part>/<version>` or `pages/<release>`. */
  pathOf(key: string): string;
  /**
   * Fetches the files of a request target that are missing here. Resolves to whether the store has their version or release, so that the
   * caller reads again.
   */
  fetchMissing?(target: string): Promise<boolean>;
}

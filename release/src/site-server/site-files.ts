/** The files of a site server: a folder on this machine, arranged like a directory store. */
export interface SiteFiles {
  /** Path of what is below `current` (the live pages), `parts/<part>/<version>` or `pages/<release>`. */
  pathOf(key: string): string;
  /** Called if there is no file for a request target. Resolves to whether files have come, so that another read can find it. */
  fetchMissing?(target: string): Promise<boolean>;
}

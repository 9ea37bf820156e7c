/** What a site server sends: a folder on this machine, arranged like a directory store. */
export interface SiteFiles {
  /** Folder of the live pages. */
  readonly rootDirectory: string;
  /** Path of an immutable object. */
  pathOf(key: string): string;
  /** Called if there is no file for a request target. Resolves to whether files have come, so that it is worth another look. */
  fetchMissing?(target: string): Promise<boolean>;
}

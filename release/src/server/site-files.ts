/** What a site server sends: a folder on this machine, arranged like a directory store. */
export interface SiteFiles {
  /** Folder of the live pages. */
  readonly rootDirectory: string;
  /** Folder of the published files, `<part>/<version>/…`. */
  readonly partsDirectory: string;
  /** Folder of the pages of a stored release. */
  pagesDirectory(releaseId: string): string;
  /** Called if there is no file for a request target. Resolves to whether files have come, so that it is worth another look. */
  fetchMissing?(target: string): Promise<boolean>;
}

/** An object as it was read, and a tag that changes whenever it is replaced. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/**
 * All that a release needs of storage. Keys are paths with `/`, such as `parts/mf-pricing/1.0.0/part.json`. Every
 * write is durable when it resolves, and appears whole or not at all.
 */
export interface ObjectStore {
  /** Names the storage to people, without credentials. */
  readonly where: string;
  read(key: string): Promise<StoredObject | undefined>;
  /** Writes an object that is never to change. `exists`: there is one already, and it was left as it is. */
  create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'>;
  /**
   * Writes an object in place of the one with this tag, or where there is none (`undefined`). `changed`: somebody else
   * was faster, nothing was written.
   */
  replace(key: string, bytes: Uint8Array, tag: string | undefined): Promise<'replaced' | 'changed'>;
  /** Keys that begin with a prefix, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  remove(keys: readonly string[]): Promise<void>;
  /** Keys of what was being written before a time and never came to its end, since the writer was killed. */
  leftovers(before: Date): Promise<readonly string[]>;
  /**
   * Makes the objects below a prefix those that visitors get at the root of the site, `index.html` last. Each address
   * answers as before or with these. `overtaken`: `isWanted` said no, or somebody else did the same at the same time;
   * some addresses may already have changed.
   */
  serveAtRoot(prefix: string, isWanted: () => Promise<boolean>): Promise<'served' | 'overtaken'>;
}

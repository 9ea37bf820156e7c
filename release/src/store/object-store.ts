import { ReleaseError } from '../platform/release-error.ts';

/** A write that failed, but may have succeeded or succeed later, because its response was lost. */
export class UncertainWrite extends ReleaseError {}

/** An object, with a tag that changes with every replacement (like an ETag). */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/** Storage of releases. Keys are paths such as `parts/mf-pricing/1.0.0/part.json`. Writes are atomic, and durable when they resolve. */
export interface ObjectStore {
  /** Location of the storage for messages, without credentials. */
  readonly displayName: string;
  read(key: string): Promise<StoredObject | undefined>;
  /** Reads an object unless it still has this tag. */
  readIfChanged(key: string, tag: string): Promise<StoredObject | 'unchanged' | undefined>;
  /** Writes an immutable object. `exists`: the key is taken, perhaps by an attempt of this write whose response was lost. */
  create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'>;
  /**
   * Compare-and-swap: replaces the object with this tag, or creates it if the tag is `undefined`. `changed`: another writer
   * was faster, or an attempt of this write has succeeded whose response was lost. Throws {@link UncertainWrite} if the outcome is
   * unknown.
   */
  replace(key: string, bytes: Uint8Array, tag: string | undefined): Promise<'replaced' | 'changed'>;
  /**
   * Writes an object, whatever is there. The last writer wins, so it is for derived data, marks of removals, and damaged objects
   * whose content is known.
   */
  overwrite(key: string, bytes: Uint8Array): Promise<void>;
  /** Keys that begin with a prefix, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  remove(keys: readonly string[]): Promise<void>;
  /** Key prefix of the live pages. A bucket has none, because its site servers follow `live.json`. */
  readonly currentPrefix?: string;
  /** Makes the objects below a prefix those of `currentPrefix`, in one step. */
  linkCurrent?(prefix: string): Promise<void>;
}

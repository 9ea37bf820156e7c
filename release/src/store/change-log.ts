import { ReleaseError } from '../platform/release-error.ts';
import { auditEntry, isIntact, type AuditEntry } from './audit-entry.ts';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

const logKey = (sequence: number) => `log/${String(sequence).padStart(8, '0')}.json`;
/** Key of an entry of a live state that was set back, which has no place in the log. */
const asideKey = ({ sequence, hash }: AuditEntry) =>
  logKey(sequence).replace(/\.json$/, `-${hash.slice(0, 12)}.json`);

/** The log of changes (`log/`). It may lack the entry of the live state, which `live.json` has as well. */
export class ChangeLog {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** All entries, oldest first. Throws a {@link ReleaseError} if one is damaged. */
  async entries(): Promise<readonly AuditEntry[]> {
    const entries = await Promise.all(
      (await this.#keys()).map((key) => readJson(this.#objects, key, auditEntry)),
    );
    return entries.flatMap((entry) => entry?.value ?? []);
  }

  /** Up to `max` entries before one, newest first, without missing and damaged ones. Reads no other entry. */
  async entriesBefore({ sequence }: AuditEntry, max: number): Promise<readonly AuditEntry[]> {
    const last = sequence - 1;
    const sequences = Array.from({ length: Math.min(max, last) }, (_, index) => last - index);
    const found = await Promise.all(
      sequences.map((each) => unlessDamaged(readJson(this.#objects, logKey(each), auditEntry))),
    );
    return found.flatMap((entry) => entry?.value ?? []);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#keys()).length === 0;
  }

  async has({ sequence, hash }: AuditEntry): Promise<boolean> {
    return (await readJson(this.#objects, logKey(sequence), auditEntry))?.value.hash === hash;
  }

  /** Whether there is an entry after the given one, or another intact one in its place. Does not list the log. */
  async contradicts(entry: AuditEntry): Promise<boolean> {
    if (await this.#objects.read(logKey(entry.sequence + 1))) return true;
    const own = await unlessDamaged(readJson(this.#objects, logKey(entry.sequence), auditEntry));
    return own !== undefined && own.value.hash !== entry.hash && isIntact(own.value);
  }

  /** Adds an entry, or replaces a damaged one. Throws a {@link ReleaseError} if another entry has its place. */
  async add(entry: AuditEntry): Promise<void> {
    const key = logKey(entry.sequence);
    if ((await this.#objects.create(key, encodeJson(entry))) === 'created') return;
    const stored = (await unlessDamaged(readJson(this.#objects, key, auditEntry)))?.value;
    if (stored && isIntact(stored)) {
      if (stored.hash === entry.hash) return;
      throw setBack(entry, entry.sequence);
    }
    // The logged entry is damaged. `live.json` still has the only intact copy.
    await this.#objects.overwrite(key, encodeJson(entry));
  }

  /** Keeps an entry that the next one does not follow. */
  async keepAside(entry: AuditEntry): Promise<void> {
    await this.#objects.create(asideKey(entry), encodeJson(entry));
  }

  /** The error of a live state that the log contradicts. */
  async setBackError(live: AuditEntry): Promise<ReleaseError> {
    const newest = (await this.#keys()).at(-1) ?? logKey(live.sequence);
    return setBack(live, Number(newest.slice(4, -5)));
  }

  async #keys(): Promise<readonly string[]> {
    return (await this.#objects.list('log/')).filter((key) => /^log\/\d{8}\.json$/.test(key));
  }
}

/** The error of a store whose log has a newer entry than the live state, or another one with its number. */
function setBack(live: AuditEntry, newest: number): ReleaseError {
  return new ReleaseError(
    `live.json was set back: it has entry ${live.sequence} of the log, whose newest entry is ${newest}. Restore the newest live.json, or accept the older state: accept-restored --why "…".`,
  );
}

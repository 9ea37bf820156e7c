import { hash } from 'node:crypto';
import { partVersionName } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartVersion } from '@countersign/contracts/release-versions';
import * as z from 'zod';
import { errorMessage } from '../platform/errors.ts';
import { mapInTurns } from '../platform/map-in-turns.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { CheckRecords } from './check-records.ts';
import { LiveStore } from './live-store.ts';
import type { ObjectStore } from './object-store.ts';
import { pageFiles } from './page-files.ts';
import {
  releaseRecord,
  versionRecord,
  type FileHashes,
  type ReleaseRecord,
  type VersionRecord,
} from './stored-documents.ts';
import { SecondAttempts } from './second-attempts.ts';
import { StoredFiles } from './stored-files.ts';
import { encode, encodeJson, readJson, unlessDamaged } from './stored-json.ts';
import { StoredPictures } from './stored-pictures.ts';

const claimKey = (part: string, version: string) => `claims/${part}/${version}`;
/** Written last: a release without it is incomplete. */
const lastPage = pageFiles.landing;

/** A published version has lost a file. A failed request is another error. */
export class LostFile extends ReleaseError {}

/** A version, or a release, whose files the store has. */
export type Stored = { readonly part: string; readonly version: string } | { readonly releaseId: string };

const recordKey = (stored: Stored) =>
  'part' in stored ? `versions/${stored.part}/${stored.version}.json` : `releases/${stored.releaseId}.json`;

/**
 * In place of a record while its version or release is being removed. The version or release no longer exists, and cannot be stored
 * again yet. `record` restores it if the removal is refused; a damaged one is not kept. `removal` is the ID of the last removal that
 * marked it, which alone may restore it or remove its files.
 */
const removalMark = z.object({
  isBeingRemoved: z.literal(true),
  removal: z.string(),
  record: z.unknown().optional(),
});

/**
 * Published versions (`parts/<part>/<version>/…` with a record in `versions/` and a claim in `claims/`) and releases (`releases/`,
 * `pages/`). All objects but `live.json` are immutable, and overwritten only if they are damaged, or by the mark of a removal.
 */
export class ReleaseStore {
  /** Location of the store for messages, without credentials. */
  readonly displayName: string;
  readonly live: LiveStore;
  readonly checkRecords: CheckRecords;
  readonly pictures: StoredPictures;
  readonly secondAttempts: SecondAttempts;
  /** Key of a file of a version → its content. */
  readonly #files = new Map<string, Promise<Uint8Array>>();
  /** Key of a record → the hashes in it. */
  readonly #hashes = new Map<string, Promise<FileHashes | undefined>>();
  /** Keys of the records of versions whose files were verified. */
  readonly #verified = new Set<string>();
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.displayName = objects.displayName;
    this.#objects = objects;
    this.live = new LiveStore(objects);
    this.checkRecords = new CheckRecords(objects);
    this.pictures = new StoredPictures(objects);
    this.secondAttempts = new SecondAttempts(objects);
  }

  /** Time, publisher and file hashes of a version; `undefined` if it is not published. */
  async versionRecord(part: string, version: string): Promise<VersionRecord | undefined> {
    return this.#readRecord({ part, version }, versionRecord, `publish ${part} ${version} again`);
  }

  /** The hashes in a record. Reads it once, until {@link forgetRecords}. */
  hashesOf(part: string, version: string): Promise<FileHashes | undefined> {
    const read = async () => (await this.versionRecord(part, version))?.files;
    return readOnce(this.#hashes, recordKey({ part, version }), read);
  }

  /** Makes {@link hashesOf} read records again, so that a version is missing that was removed meanwhile. */
  forgetRecords(): void {
    this.#hashes.clear();
  }

  /** The files of a published version, or the pages of a stored release. */
  filesOf(stored: Stored): StoredFiles {
    const prefix =
      'part' in stored ? `parts/${stored.part}/${stored.version}/` : `pages/${stored.releaseId}/`;
    return new StoredFiles(this.#objects, prefix);
  }

  /** The pages that visitors get while a release is live. The site servers of a bucket read those of the release. */
  servedPages(release: { readonly releaseId: string }): StoredFiles {
    const { currentPrefix } = this.#objects;
    return currentPrefix === undefined
      ? this.filesOf(release)
      : new StoredFiles(this.#objects, currentPrefix);
  }

  /** Makes visitors of a directory store get the pages of a release, in one step. */
  async servePages(release: { readonly releaseId: string }): Promise<void> {
    await this.#objects.linkCurrent?.(this.filesOf(release).prefix);
  }

  /** Serves the live pages of a directory store, until they are still live afterwards. Site servers of a bucket follow `live.json`. */
  async serveLivePages(): Promise<void> {
    if (!this.#objects.linkCurrent) return;
    for (let linked: string | undefined; ;) {
      const live = await this.live.read();
      if (!live || live.tag === linked) return;
      await this.servePages(live.release);
      linked = live.tag;
    }
  }

  /**
   * Messages about a version without a valid record, or whose files are not what was published, as after a faulty copy of a store.
   *
   * @param areCopiesNeeded whether a missing compressed copy is one of them
   */
  async findDamagedFiles(named: PartVersion, areCopiesNeeded = true): Promise<readonly string[]> {
    const { part, version } = named;
    const hashes = await unlessDamaged(this.hashesOf(part, version));
    if (!hashes) return [`${part} ${version} is not published. Publish it, then promote it.`];
    const damages = await this.filesOf(named).findDamages(hashes, areCopiesNeeded);
    return damages.map((damage) => `${part} ${version} ${damage}. Publish it again.`);
  }

  /**
   * Throws a {@link ReleaseError} unless a version is published, and its files are what was published. A missing compressed copy is
   * allowed, because it must not stop a rollback. Reads the files once, and the record again after {@link forgetRecords}.
   */
  async assertIntact(named: PartVersion): Promise<void> {
    const { part, version } = named;
    const key = recordKey(named);
    if (this.#verified.has(key) && (await this.hashesOf(part, version))) return;
    const damaged = await this.findDamagedFiles(named, false);
    if (damaged.length > 0) throw new ReleaseError(damaged.join('\n'));
    this.#verified.add(key);
  }

  /** The versions that are published, or are being removed. */
  async knownVersions() {
    const keys = await this.#objects.list('versions/');
    return keys
      .map((key) => /^versions\/([^/]+)\/(.+)\.json$/.exec(key) ?? [])
      .map(([, part = '', version = '']) => ({ part, version }))
      .filter(({ version }) => partVersionName.safeParse(version).success);
  }

  async readFile(part: string, version: string, file: string): Promise<string> {
    return new TextDecoder().decode(await this.readBytes(part, version, file));
  }

  /** A file of a version. Reads it once, because it never changes; whether the version still exists, its record says. */
  readBytes(part: string, version: string, file: string): Promise<Uint8Array> {
    const files = this.filesOf({ part, version });
    const name = `${files.prefix}${file}`;
    return readOnce(this.#files, name, async () => {
      const found = await files.read(file);
      if (found) return found;
      throw new LostFile(`${name} is missing in ${this.displayName}. Publish ${part} ${version} again.`);
    });
  }

  /**
   * Stores a version with compressed copies of its files, and restores missing or damaged files. The first claim fixes the
   * version's content, even if its publish is interrupted. Later calls with the same content complete it; calls with other
   * content are refused. Throws a {@link ReleaseError} while the version is being removed.
   */
  async addVersion(
    part: string,
    version: string,
    files: ReadonlyMap<string, Uint8Array>,
    record: VersionRecord,
  ): Promise<'stored' | 'refused'> {
    const key = claimKey(part, version);
    const claim = encode(hash('sha256', JSON.stringify(record.files)));
    if ((await this.#objects.create(key, claim)) === 'exists') {
      const found = await this.#objects.read(key);
      if (!found || Buffer.compare(found.bytes, claim) !== 0) return 'refused';
    }
    if ((await this.removalOf({ part, version })) !== undefined) throw beingRemoved({ part, version });
    const stored = this.filesOf({ part, version });
    await mapInTurns(files, ([name, bytes]) => stored.addWithCopies(name, bytes));
    await this.#addRecord({ part, version }, versionRecord, record);
    return 'stored';
  }

  /** A record; `undefined` if there is none, or the mark of a removal. */
  async #readRecord<Value>(
    stored: Stored,
    schema: z.ZodType<Value>,
    remedy?: string,
  ): Promise<Value | undefined> {
    const unmarked = z.union([removalMark.transform(() => undefined), schema]);
    return readJson(this.#objects, recordKey(stored), unmarked, remedy);
  }

  /** Writes an immutable record, and replaces a damaged one. Throws a {@link ReleaseError} if there is the mark of a removal. */
  async #addRecord<Value>(stored: Stored, schema: z.ZodType<Value>, value: Value): Promise<void> {
    const key = recordKey(stored);
    if ((await this.#objects.create(key, encodeJson(value))) === 'created') return;
    const found = await unlessDamaged(readJson(this.#objects, key, z.union([removalMark, schema])));
    if (removalMark.safeParse(found).success) throw beingRemoved(stored);
    if (!found) await this.#objects.overwrite(key, encodeJson(value));
  }

  /**
   * The first step of a removal: replaces a record, or the mark of another removal, by a mark. From then on the version or release does
   * not exist, and cannot be stored again before the removal is complete.
   */
  async markForRemoval(stored: Stored, removal: string): Promise<void> {
    const key = recordKey(stored);
    this.#hashes.delete(key);
    const found = await unlessDamaged(readJson(this.#objects, key, z.unknown()));
    const { data: mark } = removalMark.safeParse(found);
    const record = mark ? mark.record : found;
    await this.#objects.overwrite(key, encodeJson({ isBeingRemoved: true, removal, record }));
  }

  /** Replaces the marks of one removal, or of any, by the records. Tries each, and returns the different messages of those that failed. */
  async unmark(marked: readonly Stored[], removal?: string): Promise<readonly string[]> {
    const messages = await mapInTurns(marked, (stored) =>
      this.#unmarkRecord(stored, removal).catch(errorMessage),
    );
    return [...new Set(messages.filter((message) => message !== undefined))];
  }

  async #unmarkRecord(stored: Stored, removal?: string): Promise<undefined> {
    const key = recordKey(stored);
    const mark = await this.#readMark(stored);
    if (!mark || (removal !== undefined && mark.removal !== removal)) return;
    // To publish a version again restores a damaged record.
    if (mark.record === undefined) await this.#objects.remove([key]);
    else await this.#objects.overwrite(key, encodeJson(mark.record));
  }

  async #readMark(stored: Stored) {
    return unlessDamaged(readJson(this.#objects, recordKey(stored), removalMark));
  }

  /** The ID of the removal that has marked a version or release last, if one is not complete. */
  async removalOf(stored: Stored): Promise<string | undefined> {
    return (await this.#readMark(stored))?.removal;
  }

  /**
   * Removes a version, or a release that is not live. The record goes last, because by it a repeated removal finds what is left. The
   * claim of a version stays, so that the version cannot be reused for other content.
   */
  async remove(stored: Stored): Promise<void> {
    await this.filesOf(stored).remove();
    if ('part' in stored) await this.pictures.remove(stored.part, stored.version);
    await this.#objects.remove([recordKey(stored)]);
  }

  /** A stored release, which may be live or not; `undefined` if it is not stored, or is being removed. */
  async readRelease(releaseId: string): Promise<ReleaseRecord | undefined> {
    return this.#readRecord({ releaseId }, releaseRecord);
  }

  /** The releases that are stored, or are being removed. */
  async releaseIds(): Promise<readonly string[]> {
    const keys = await this.#objects.list('releases/');
    return keys.flatMap((key) => /^releases\/(r-[0-9a-f]{12})\.json$/.exec(key)?.[1] ?? []);
  }

  /** The releases that are stored, and those of which an interrupted change or removal has left pages. */
  async knownReleaseIds(): Promise<readonly string[]> {
    const keys = await this.#objects.list('pages/');
    const left = keys.flatMap((key) => /^pages\/(r-[0-9a-f]{12})\//.exec(key)?.[1] ?? []);
    return [...new Set([...(await this.releaseIds()), ...left])];
  }

  /**
   * Stores a release and its pages, and restores missing or damaged ones. Does not make it live. Throws a {@link ReleaseError} while
   * the release is being removed.
   */
  async addRelease(release: ReleaseDocument, pages: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
    const record: ReleaseRecord = { at: new Date().toISOString(), release };
    // The record is written first, so that `prune` does not treat the pages as abandoned.
    await this.#addRecord(release, releaseRecord, record);
    const stored = this.filesOf(release);
    const put = ([name, content]: readonly [string, string | Uint8Array]) =>
      stored.addWithCopies(name, content);
    await Promise.all([...pages].filter(([name]) => name !== lastPage).map(put));
    await Promise.all([...pages].filter(([name]) => name === lastPage).map(put));
  }
}

function beingRemoved(stored: Stored): ReleaseError {
  const [name, remove] =
    'part' in stored
      ? [`${stored.part} ${stored.version}`, `"remove ${stored.part} ${stored.version}" or "prune"`]
      : [`Release ${stored.releaseId}`, '"prune"'];
  return new ReleaseError(
    `${name} is being removed. Repeat the command when that is done; ${remove} completes an interrupted removal.`,
  );
}

/** Reads what is immutable once. What is missing, or could not be read, is read again. */
function readOnce<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const reading = known.get(key) ?? read();
  known.set(key, reading);
  void reading.catch(() => undefined).then((value) => value === undefined && known.delete(key));
  return reading;
}

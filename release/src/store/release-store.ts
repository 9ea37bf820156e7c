import { hash } from 'node:crypto';
import { partVersionName } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartVersion } from '@countersign/contracts/release-versions';
import type * as z from 'zod';
import { mapInTurns } from '../platform/map-in-turns.ts';
import { ReleaseError } from '../platform/release-error.ts';
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

const releaseKey = (releaseId: string) => `releases/${releaseId}.json`;
const recordKey = (part: string, version: string) => `versions/${part}/${version}.json`;
/** Beside what is left of a version while its removal is not complete. */
const removedKey = (part: string, version: string) => `removed/${part}/${version}.json`;
const claimKey = (part: string, version: string) => `claims/${part}/${version}`;
/** Written last: a release without it is incomplete. */
const lastPage = pageFiles.landing;

/** A published version has lost a file. A failed request is another error. */
export class LostFile extends ReleaseError {}

/** A version, or a release, whose files the store has. */
export type Stored = { readonly part: string; readonly version: string } | { readonly releaseId: string };

/**
 * Published versions (`parts/<part>/<version>/…` with a record in `versions/` and a claim in `claims/`) and releases (`releases/`,
 * `pages/`). All objects but `live.json` are immutable, and overwritten only if they are damaged.
 */
export class ReleaseStore {
  /** Location of the store for messages, without credentials. */
  readonly displayName: string;
  readonly live: LiveStore;
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
    this.pictures = new StoredPictures(objects);
    this.secondAttempts = new SecondAttempts(objects);
  }

  /** Time, publisher and file hashes of a version; `undefined` if it is not published. */
  async versionRecord(part: string, version: string): Promise<VersionRecord | undefined> {
    return readJson(this.#objects, recordKey(part, version), versionRecord);
  }

  /** The hashes in a record. Reads it once, until {@link forgetRecords}. */
  hashesOf(part: string, version: string): Promise<FileHashes | undefined> {
    const read = async () => (await this.versionRecord(part, version))?.files;
    return readOnce(this.#hashes, recordKey(part, version), read);
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

  /** Messages about a version without a valid record, or whose files are not what was published, as after a faulty copy of a store. */
  async findDamagedFiles(named: PartVersion): Promise<readonly string[]> {
    const { part, version } = named;
    const hashes = await unlessDamaged(this.hashesOf(part, version));
    if (!hashes) return [`${part} ${version} is not published. Publish it, then promote it.`];
    const damages = await this.filesOf(named).findDamages(hashes);
    return damages.map((damage) => `${part} ${version} ${damage}. Publish it again.`);
  }

  /**
   * Throws a {@link ReleaseError} unless a version is published, and its files are what was published. Reads the files once, and the
   * record again after {@link forgetRecords}.
   */
  async assertIntact(named: PartVersion): Promise<void> {
    const { part, version } = named;
    const key = recordKey(part, version);
    if (this.#verified.has(key) && (await this.hashesOf(part, version))) return;
    const damaged = await this.findDamagedFiles(named);
    if (damaged.length > 0) throw new ReleaseError(damaged.join('\n'));
    this.#verified.add(key);
  }

  /** The versions that are published. */
  publishedVersions() {
    return this.#versionsBelow('versions/');
  }

  /** The versions that are published, and those of which an interrupted removal may have left something. */
  async knownVersions() {
    const all = [...(await this.publishedVersions()), ...(await this.#versionsBelow('removed/'))];
    return [...new Map(all.map((each) => [recordKey(each.part, each.version), each])).values()];
  }

  async #versionsBelow(folder: string) {
    const keys = await this.#objects.list(folder);
    return keys
      .map((key) => /^\w+\/([^/]+)\/(.+)\.json$/.exec(key) ?? [])
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
      throw new LostFile(`${name} is missing in ${this.displayName}. Publish ${part} again.`);
    });
  }

  /**
   * Stores a version with compressed copies of its files, and restores missing or damaged files. The first claim fixes the
   * version's content, even if its publish is interrupted. Later calls with the same content complete it; calls with other
   * content are refused.
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
    const stored = this.filesOf({ part, version });
    await mapInTurns(files, ([name, bytes]) => stored.addWithCopies(name, bytes));
    await this.addRecord(part, version, record);
    return 'stored';
  }

  /**
   * The first step of a removal: without a record a version does not exist, whatever is left of its files. The mark of the removal
   * tells them from files whose record is still to come.
   */
  async removeRecord(part: string, version: string): Promise<void> {
    const key = recordKey(part, version);
    await this.#objects.create(removedKey(part, version), encodeJson({}));
    await this.#objects.remove([key]);
    this.#hashes.delete(key);
  }

  /** The last step of a publication. Also restores the record after a removal was refused. */
  async addRecord(part: string, version: string, record: VersionRecord): Promise<void> {
    await this.#addDocument(recordKey(part, version), versionRecord, record);
  }

  /** Writes an immutable document, and replaces a damaged one. */
  async #addDocument<Value>(key: string, schema: z.core.$ZodType<Value>, value: Value): Promise<void> {
    if ((await this.#objects.create(key, encodeJson(value))) === 'created') return;
    const stored = await unlessDamaged(readJson(this.#objects, key, schema));
    if (!stored) await this.#objects.overwrite(key, encodeJson(value));
  }

  /** Removes a version. Keeps its claim, so that the version cannot be reused for other content. */
  async removeVersion(part: string, version: string): Promise<void> {
    await this.removeRecord(part, version);
    await this.filesOf({ part, version }).remove();
    await this.pictures.remove(part, version);
    await this.#objects.remove([removedKey(part, version)]);
  }

  /** A stored release, which may be live or not. */
  async readRelease(releaseId: string): Promise<ReleaseRecord | undefined> {
    return readJson(this.#objects, releaseKey(releaseId), releaseRecord);
  }

  async releaseIds(): Promise<readonly string[]> {
    const keys = await this.#objects.list('releases/');
    return keys.flatMap((key) => /^releases\/(r-[0-9a-f]{12})\.json$/.exec(key)?.[1] ?? []);
  }

  /** The releases that are stored, and those of which an interrupted removal has left pages. */
  async knownReleaseIds(): Promise<readonly string[]> {
    const keys = await this.#objects.list('pages/');
    const left = keys.flatMap((key) => /^pages\/(r-[0-9a-f]{12})\//.exec(key)?.[1] ?? []);
    return [...new Set([...(await this.releaseIds()), ...left])];
  }

  /** Stores a release and its pages, and restores missing or damaged ones. Does not make it live. */
  async addRelease(release: ReleaseDocument, pages: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
    const record: ReleaseRecord = { at: new Date().toISOString(), release };
    // The record is written first, so that `prune` does not treat the pages as abandoned.
    await this.#addDocument(releaseKey(release.releaseId), releaseRecord, record);
    const stored = this.filesOf(release);
    const put = ([name, content]: readonly [string, string | Uint8Array]) =>
      stored.addWithCopies(name, content);
    await Promise.all([...pages].filter(([name]) => name !== lastPage).map(put));
    await Promise.all([...pages].filter(([name]) => name === lastPage).map(put));
  }

  async removeReleaseRecord(releaseId: string): Promise<void> {
    await this.#objects.remove([releaseKey(releaseId)]);
  }

  /** Removes a release that is not live. The record goes last, because by it a repeated removal finds what is left. */
  async removeRelease(releaseId: string): Promise<void> {
    await this.filesOf({ releaseId }).remove();
    await this.removeReleaseRecord(releaseId);
  }
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

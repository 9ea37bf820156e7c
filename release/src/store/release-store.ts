import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { releaseIdPattern } from '@countersign/contracts/page-report';
import { partVersionName } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartVersion } from '@countersign/contracts/release-versions';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { CheckCache } from './check-cache.ts';
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
import { encode, unlessDamaged } from './stored-json.ts';
import { StoredPictures } from './stored-pictures.ts';
import { recordKey, StoredRecords, type Artifact } from './stored-records.ts';

const claimKey = (part: string, version: string) => `claims/${part}/${version}`;
/** Written last: a release without it is incomplete. */
const lastPage = pageFiles.landing;

/** A published version has lost a file. A failed request is another error. */
export class LostFile extends ReleaseError {}

/**
 * Published versions (`parts/<part>/<version>/…` with a record in `versions/` and a claim in `claims/`) and releases (`releases/`,
 * `pages/`). These are immutable, and overwritten only if they are damaged, or by the mark of a removal.
 */
export class ReleaseStore {
  /** Location of the store for messages, without credentials. */
  readonly displayName: string;
  readonly liveStore: LiveStore;
  readonly records: StoredRecords;
  readonly checkCache: CheckCache;
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
    this.liveStore = new LiveStore(objects);
    this.records = new StoredRecords(objects);
    this.checkCache = new CheckCache(objects);
    this.pictures = new StoredPictures(objects);
    this.secondAttempts = new SecondAttempts(objects);
  }

  /** Time, publisher and file hashes of a version; `undefined` if it is not published. */
  async versionRecord(part: string, version: string): Promise<VersionRecord | undefined> {
    return this.records.read({ part, version }, versionRecord, `publish ${part} ${version} again`);
  }

  /** The hashes in a record. Reads it once, until {@link forgetHashes}. */
  hashesOf(part: string, version: string): Promise<FileHashes | undefined> {
    const read = async () => (await this.versionRecord(part, version))?.files;
    return readOnce(this.#hashes, recordKey({ part, version }), read);
  }

  /** Makes {@link hashesOf} read records again, so that a version is missing that was removed meanwhile. */
  forgetHashes(): void {
    this.#hashes.clear();
  }

  /** The files of a published version, or the pages of a stored release. */
  filesOf(artifact: Artifact): StoredFiles {
    const prefix =
      'part' in artifact ? `parts/${artifact.part}/${artifact.version}/` : `pages/${artifact.releaseId}/`;
    return new StoredFiles(this.#objects, prefix);
  }

  /** The pages that visitors get while a release is live. The site servers of a bucket read those of the release. */
  visiblePages(release: { readonly releaseId: string }): StoredFiles {
    const { currentPrefix } = this.#objects;
    return currentPrefix === undefined
      ? this.filesOf(release)
      : new StoredFiles(this.#objects, currentPrefix);
  }

  /** Makes visitors of a directory store get the pages of a release, in one step. */
  async linkPages(release: { readonly releaseId: string }): Promise<void> {
    await this.#objects.linkCurrent?.(this.filesOf(release).prefix);
  }

  /** Links the live pages of a directory store, until they are still live afterwards. Site servers of a bucket follow `live.json`. */
  async linkLivePages(): Promise<void> {
    if (!this.#objects.linkCurrent) return;
    for (let linked: string | undefined; ;) {
      const liveState = await this.liveStore.read();
      if (!liveState || liveState.tag === linked) return;
      await this.linkPages(liveState.release);
      linked = liveState.tag;
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
    const damage = await this.filesOf(named).findDamage(hashes, areCopiesNeeded);
    return damage.map((predicate) => `${part} ${version} ${predicate}. Publish it again.`);
  }

  /**
   * Throws a {@link ReleaseError} unless a version is published, and its files are what was published. A missing compressed copy is
   * allowed, because it must not stop a rollback. Reads the files once, and the record again after {@link forgetHashes}.
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
    await this.records.assertNotBeingRemoved({ part, version });
    const stored = this.filesOf({ part, version });
    await mapConcurrently(files, ([name, bytes]) => stored.addWithCopies(name, bytes));
    await this.records.add({ part, version }, versionRecord, record);
    return 'stored';
  }

  /** The first step of a removal, see {@link StoredRecords.mark}. */
  async markForRemoval(artifact: Artifact, removal: string): Promise<void> {
    this.#hashes.delete(recordKey(artifact));
    await this.records.mark(artifact, removal);
  }

  /**
   * Removes a version, or a release that is not live. The record goes last, because by it a repeated removal finds what is left. The
   * claim of a version stays, so that the version cannot be reused for other content.
   */
  async remove(artifact: Artifact): Promise<void> {
    await this.filesOf(artifact).remove();
    if ('part' in artifact) await this.pictures.remove(artifact);
    await this.records.remove(artifact);
  }

  /** Time and content of a release, which may be live or not; `undefined` if it is not stored, or is being removed. */
  async releaseRecord(releaseId: string): Promise<ReleaseRecord | undefined> {
    const remedy = 'remove it if no version of that release is needed';
    return this.records.read({ releaseId }, releaseRecord, remedy);
  }

  /** The release in a record; `undefined` also if the record is damaged. */
  async readRelease(releaseId: string): Promise<ReleaseDocument | undefined> {
    return (await unlessDamaged(this.releaseRecord(releaseId)))?.release;
  }

  /** The releases that are stored, or are being removed. */
  async releaseIds(): Promise<readonly string[]> {
    const keys = await this.#objects.list('releases/');
    return keys.map((key) => basename(key, '.json')).filter((name) => releaseIdPattern.test(name));
  }

  /** The releases that are stored, and those of which an interrupted change or removal has left pages. */
  async knownReleaseIds(): Promise<readonly string[]> {
    const keys = await this.#objects.list('pages/');
    const left = keys.map((key) => key.split('/')[1] ?? '').filter((name) => releaseIdPattern.test(name));
    return [...new Set([...(await this.releaseIds()), ...left])];
  }

  /**
   * Stores a release and its pages, and restores missing or damaged ones. Does not make it live. Throws a {@link ReleaseError} while
   * the release is being removed.
   */
  async addRelease(release: ReleaseDocument, pages: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
    const record: ReleaseRecord = { at: new Date().toISOString(), release };
    // The record is written first, so that `prune` does not treat the pages as abandoned.
    await this.records.add(release, releaseRecord, record);
    const stored = this.filesOf(release);
    const put = ([name, content]: readonly [string, string | Uint8Array]) =>
      stored.addWithCopies(name, content);
    await Promise.all([...pages].filter(([name]) => name !== lastPage).map(put));
    await Promise.all([...pages].filter(([name]) => name === lastPage).map(put));
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

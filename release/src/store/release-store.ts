import { createHash } from 'node:crypto';
import { partVersionName } from '@countersign/contracts/part-manifest';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { compressedCopies } from '../compressed-copies.ts';
import { ReleaseFault } from '../release-fault.ts';
import { auditEntry, isIntact, type AuditEntry } from './audit-entry.ts';
import type { ObjectStore } from './object-store.ts';
import { encode, encodeJson, readJson } from './stored-json.ts';
import {
  liveState,
  releaseRecord,
  versionRecord,
  type FileHashes,
  type ReleaseRecord,
  type VersionRecord,
  type WithdrawnVersion,
} from './stored-documents.ts';

/** What is live, and what a change of it has to be based on. */
export interface LiveState {
  readonly release: ReleaseDocument;
  readonly entry: AuditEntry;
  /** The configuration that the page was composed with, unless that was before it was kept. */
  readonly site?: SiteConfig | undefined;
  /** Versions that must never be served again. */
  readonly withdrawn: readonly WithdrawnVersion[];
  readonly tag: string;
}

const liveKey = 'live.json';
const logKey = (sequence: number) => `log/${String(sequence).padStart(8, '0')}.json`;
const releaseKey = (releaseId: string) => `releases/${releaseId}.json`;
const recordKey = (part: string, version: string) => `versions/${part}/${version}.json`;
const claimKey = (part: string, version: string) => `claims/${part}/${version}`;
/** Where earlier releasers put both: among the files of the version, which visitors can fetch. */
const formerRecordKey = (part: string, version: string) => partKey(part, version, formerRecordFiles.record);
const formerClaimKey = (part: string, version: string) => partKey(part, version, formerRecordFiles.claim);
const partKey = (part: string, version: string, file: string) => `${versionPrefix(part, version)}${file}`;

/** Names in the folder of a version that stand for its record and its claim in stores of earlier releasers. */
export const formerRecordFiles = { record: 'files.json', claim: 'claim' } as const;
/** What the keys of the files of a version begin with. */
export const versionPrefix = (part: string, version: string) => `parts/${part}/${version}/`;
/** What the keys of the pages of a release begin with. */
export const pagePrefix = (releaseId: string) => `pages/${releaseId}/`;
/** What the keys of the pages begin with that visitors get at the root of the site. */
export const servedPrefix = 'current/';
/** Without its landing page, a release is still being written. */
export const lastPage = 'index.html';

/**
 * Published versions (`parts/<part>/<version>/…` with a record in `versions/` and a claim in `claims/`), every state
 * that the page has been in (`releases/`, `pages/`), which of them is live (`live.json`) and how it came to be
 * (`log/`). Only `live.json` is ever replaced.
 */
export class ReleaseStore {
  readonly objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.objects = objects;
  }

  /** When and by whom a version was published, and what its files hash to. `undefined` where it has not been. */
  async versionRecord(part: string, version: string): Promise<VersionRecord | undefined> {
    const record =
      (await readJson(this.objects, recordKey(part, version), versionRecord)) ??
      (await readJson(this.objects, formerRecordKey(part, version), versionRecord));
    return record?.value;
  }

  async hashesOf(part: string, version: string): Promise<FileHashes | undefined> {
    return (await this.versionRecord(part, version))?.files;
  }

  /** Published versions of a part, in no particular order. */
  async versionsOf(part: string): Promise<readonly string[]> {
    const [records, files] = await Promise.all([
      this.objects.list(`versions/${part}/`),
      this.objects.list(`parts/${part}/`),
    ]);
    const names = [
      ...records.map((key) => /^versions\/[^/]+\/(.+)\.json$/.exec(key)?.[1]),
      ...files.map((key) => /^parts\/[^/]+\/([^/]+)\/files\.json$/.exec(key)?.[1]),
    ].filter((name) => partVersionName.safeParse(name).success);
    return [...new Set(names)] as string[];
  }

  async readFile(part: string, version: string, file: string): Promise<string> {
    return new TextDecoder().decode(await this.readBytes(part, version, file));
  }

  async readBytes(part: string, version: string, file: string): Promise<Uint8Array> {
    const key = partKey(part, version, file);
    const found = await this.objects.read(key);
    if (!found) throw new ReleaseFault(`${key} is missing in ${this.objects.where}. Publish ${part} again.`);
    return found.bytes;
  }

  /**
   * Stores a version with compressed copies of its files, and writes what is missing or damaged of it again. Who claims
   * a version first decides its content: others with the same content help it along, others with another are refused,
   * also when the first one never came to its end.
   */
  async addVersion(
    part: string,
    version: string,
    files: ReadonlyMap<string, Uint8Array>,
    record: VersionRecord,
  ): Promise<'stored' | 'refused'> {
    const claim = claimOf(record.files);
    const former = await this.#readText(formerClaimKey(part, version));
    if (former !== undefined && former !== claim) return 'refused';
    if ((await this.objects.create(claimKey(part, version), encode(claim))) === 'exists') {
      if ((await this.#readText(claimKey(part, version))) !== claim) return 'refused';
    }
    await Promise.all(
      [...files].map(([name, bytes]) => this.#putWithCopies(partKey(part, version, name), bytes)),
    );
    await this.objects.create(recordKey(part, version), encodeJson(record));
    return 'stored';
  }

  /** Whether the record of a version says what its claim says. A version from before there were claims has none. */
  async isAsClaimed(part: string, version: string, files: FileHashes): Promise<boolean> {
    const keys = [claimKey(part, version), formerClaimKey(part, version)];
    const claims = await Promise.all(keys.map((key) => this.#readText(key)));
    return claims.every((claim) => claim === undefined || claim === claimOf(files));
  }

  /** Takes a version out of the store. Its claim stays, so that nobody gives its name to something else. */
  async removeVersion(part: string, version: string): Promise<void> {
    const keys = await this.objects.list(versionPrefix(part, version));
    // Without its record a version is not there, however far the removal comes.
    const records = [recordKey(part, version), formerRecordKey(part, version)];
    const claim = formerClaimKey(part, version);
    await this.objects.remove(records);
    await this.objects.remove(keys.filter((key) => !records.includes(key) && key !== claim));
  }

  /** What is live, or `undefined` before the first release. Throws a {@link ReleaseFault} when it is damaged. */
  async readLive(): Promise<LiveState | undefined> {
    const found = await readJson(this.objects, liveKey, liveState);
    return found && { ...found.value, tag: found.tag };
  }

  /** A state that the page is, was or was about to be in. */
  async readRelease(releaseId: string): Promise<ReleaseRecord | undefined> {
    return (await readJson(this.objects, releaseKey(releaseId), releaseRecord))?.value;
  }

  /** Names of the states that are stored, live or not. */
  async releaseIds(): Promise<readonly string[]> {
    const keys = await this.objects.list('releases/');
    return keys.flatMap((key) => /^releases\/(r-[0-9a-f]{12})\.json$/.exec(key)?.[1] ?? []);
  }

  /**
   * Stores a state of the page and everything that visitors get of it, and writes what is missing or damaged of it
   * again. It is not live yet.
   */
  async addRelease(release: ReleaseDocument, pages: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
    const record: ReleaseRecord = { at: new Date().toISOString(), release };
    const key = releaseKey(release.releaseId);
    // First: what has a record is not taken for a leftover.
    if ((await this.objects.create(key, encodeJson(record))) === 'exists') {
      const stored = await this.readRelease(release.releaseId).catch(() => undefined);
      if (!stored) {
        await this.objects.remove([key]);
        await this.objects.create(key, encodeJson(record));
      }
    }
    const put = ([name, content]: readonly [string, string | Uint8Array]) => {
      const bytes = typeof content === 'string' ? encode(content) : content;
      return this.#putWithCopies(`${pagePrefix(release.releaseId)}${name}`, bytes);
    };
    await Promise.all([...pages].filter(([name]) => name !== lastPage).map(put));
    await Promise.all([...pages].filter(([name]) => name === lastPage).map(put));
  }

  /** Takes a state that is not live out of the store. */
  async removeRelease(releaseId: string): Promise<void> {
    await this.objects.remove(await this.objects.list(pagePrefix(releaseId)));
    await this.objects.remove([releaseKey(releaseId)]);
  }

  /**
   * Makes a stored state of the page live, with the entry that says why. `changed`: somebody else has released since
   * `before` was read, and nothing is live that was not before.
   */
  async commit(
    before: LiveState | undefined,
    release: ReleaseDocument,
    entry: AuditEntry,
    site: SiteConfig,
    withdrawn: readonly WithdrawnVersion[] = before?.withdrawn ?? [],
  ): Promise<'committed' | 'changed'> {
    // The entry that is about to be replaced moves into the log first. Everybody who gets here writes the same.
    if (before) await this.#log(before.entry);
    const next = encodeJson({ release, entry, site, ...(withdrawn.length > 0 ? { withdrawn } : {}) });
    const outcome = await this.objects.replace(liveKey, next, before?.tag);
    return outcome === 'replaced' ? 'committed' : 'changed';
  }

  /** Every change since the first, oldest first. Throws a {@link ReleaseFault} when an entry is damaged. */
  async history(): Promise<readonly AuditEntry[]> {
    const live = await this.readLive();
    if (!live) return [];
    const keys = (await this.objects.list('log/')).filter((key) => /^log\/\d{8}\.json$/.test(key));
    const entries = await Promise.all(
      keys.map(async (key) => (await readJson(this.objects, key, auditEntry))?.value),
    );
    const earlier = entries.filter((entry) => entry !== undefined && entry.sequence < live.entry.sequence);
    return [...(earlier as AuditEntry[]), live.entry];
  }

  /**
   * Serves the pages of what is live. Of several who release at once, the last one to look decides, and looks again
   * until it has served what is live.
   */
  async servePages(): Promise<void> {
    for (;;) {
      const live = await this.readLive();
      if (!live) return;
      const isLive = async () => (await this.readLive())?.tag === live.tag;
      const outcome = await this.objects.serveAtRoot(pagePrefix(live.release.releaseId), isLive);
      if (outcome === 'served' && (await isLive())) return;
    }
  }

  async #log(entry: AuditEntry): Promise<void> {
    const key = logKey(entry.sequence);
    if ((await this.objects.create(key, encodeJson(entry))) === 'created') return;
    const stored = await readJson(this.objects, key, auditEntry).catch(() => undefined);
    if (stored?.value.hash === entry.hash && isIntact(stored.value)) return;
    // Cut off or altered since. What is about to be replaced has the only whole copy.
    await this.objects.remove([key]);
    await this.objects.create(key, encodeJson(entry));
  }

  async #putWithCopies(key: string, bytes: Uint8Array): Promise<void> {
    // The copies follow: a file that is there without them is whole.
    await this.#put(key, bytes);
    const copies = Object.entries(await compressedCopies(key, bytes));
    await Promise.all(copies.map(([suffix, content]) => this.#put(`${key}${suffix}`, content)));
  }

  /** Writes an object whose content is known, also over one that was damaged. */
  async #put(key: string, bytes: Uint8Array): Promise<void> {
    if ((await this.objects.create(key, bytes)) === 'created') return;
    const found = await this.objects.read(key);
    if (found && Buffer.compare(found.bytes, bytes) === 0) return;
    await this.objects.remove([key]);
    await this.objects.create(key, bytes);
  }

  async #readText(key: string): Promise<string | undefined> {
    const found = await this.objects.read(key);
    return found && new TextDecoder().decode(found.bytes);
  }
}

/** What a claim holds: a hash over the hashes of all files. */
function claimOf(files: FileHashes): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

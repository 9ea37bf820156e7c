import { createHash } from 'node:crypto';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type * as z from 'zod/mini';
import { compressedCopies } from '../compressed-copies.ts';
import { ReleaseFault } from '../release-fault.ts';
import { auditEntry, type AuditEntry } from './audit-entry.ts';
import type { ObjectStore } from './object-store.ts';
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
const partKey = (part: string, version: string, file: string) => `parts/${part}/${version}/${file}`;
const pagePrefix = (releaseId: string) => `pages/${releaseId}/`;

/**
 * Published versions (`parts/<part>/<version>/…`), every state that the page has been in (`releases/`, `pages/`), which
 * of them is live (`live.json`) and how it came to be (`log/`). Only `live.json` is ever replaced.
 */
export class ReleaseStore {
  readonly objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.objects = objects;
  }

  /** When and by whom a version was published, and what its files hash to. `undefined` where it has not been. */
  async versionRecord(part: string, version: string): Promise<VersionRecord | undefined> {
    const record = await this.#readJson(partKey(part, version, 'files.json'), versionRecord);
    return record?.value;
  }

  async hashesOf(part: string, version: string): Promise<FileHashes | undefined> {
    return (await this.versionRecord(part, version))?.files;
  }

  /** Published versions of a part, in no particular order. */
  async versionsOf(part: string): Promise<readonly string[]> {
    const keys = await this.objects.list(`parts/${part}/`);
    return keys.flatMap((key) => /^parts\/[^/]+\/([^/]+)\/files\.json$/.exec(key)?.[1] ?? []);
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
   * Stores a version with compressed copies of its files. Who claims a version first decides its content: others with
   * the same content help it along, others with another are refused, also when the first one never came to its end.
   */
  async addVersion(
    part: string,
    version: string,
    files: ReadonlyMap<string, Uint8Array>,
    record: VersionRecord,
  ): Promise<'stored' | 'refused'> {
    const claim = createHash('sha256').update(JSON.stringify(record.files)).digest('hex');
    const claimKey = partKey(part, version, 'claim');
    if ((await this.objects.create(claimKey, encode(claim))) === 'exists') {
      const first = await this.objects.read(claimKey);
      if (!first || new TextDecoder().decode(first.bytes) !== claim) return 'refused';
    }
    await Promise.all(
      [...files].map(([name, bytes]) => this.#createWithCopies(partKey(part, version, name), bytes)),
    );
    await this.objects.create(partKey(part, version, 'files.json'), encodeJson(record));
    return 'stored';
  }

  /** Takes a version out of the store. Its claim stays, so that nobody gives its name to something else. */
  async removeVersion(part: string, version: string): Promise<void> {
    const keys = await this.objects.list(`parts/${part}/${version}/`);
    // Without its record a version is not there, however far the removal comes.
    const record = partKey(part, version, 'files.json');
    const claim = partKey(part, version, 'claim');
    await this.objects.remove([record]);
    await this.objects.remove(keys.filter((key) => key !== record && key !== claim));
  }

  /** What is live, or `undefined` before the first release. Throws a {@link ReleaseFault} when it is damaged. */
  async readLive(): Promise<LiveState | undefined> {
    const found = await this.#readJson(liveKey, liveState);
    return found && { ...found.value, tag: found.tag };
  }

  /** A state that the page is, was or was about to be in. */
  async readRelease(releaseId: string): Promise<ReleaseRecord | undefined> {
    return (await this.#readJson(releaseKey(releaseId), releaseRecord))?.value;
  }

  /** Names of the states that are stored, live or not. */
  async releaseIds(): Promise<readonly string[]> {
    const keys = await this.objects.list('releases/');
    return keys.flatMap((key) => /^releases\/(.+)\.json$/.exec(key)?.[1] ?? []);
  }

  /** Stores a state of the page and everything that visitors get of it. It is not live yet. */
  async addRelease(release: ReleaseDocument, pages: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
    const record: ReleaseRecord = { at: new Date().toISOString(), release };
    // First: what has a record is not taken for a leftover.
    await this.objects.create(releaseKey(release.releaseId), encodeJson(record));
    await Promise.all(
      [...pages].map(([name, content]) => {
        const bytes = typeof content === 'string' ? encode(content) : content;
        return this.#createWithCopies(`${pagePrefix(release.releaseId)}${name}`, bytes);
      }),
    );
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
    if (before) await this.objects.create(logKey(before.entry.sequence), encodeJson(before.entry));
    const next = encodeJson({ release, entry, site, ...(withdrawn.length > 0 ? { withdrawn } : {}) });
    const outcome = await this.objects.replace(liveKey, next, before?.tag);
    return outcome === 'replaced' ? 'committed' : 'changed';
  }

  /** Every change since the first, oldest first. */
  async history(): Promise<readonly AuditEntry[]> {
    const live = await this.readLive();
    if (!live) return [];
    const keys = await this.objects.list('log/');
    const entries = await Promise.all(
      keys.map(async (key) => (await this.#readJson(key, auditEntry))?.value),
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

  async #createWithCopies(key: string, bytes: Uint8Array): Promise<void> {
    const copies = await compressedCopies(key, bytes);
    const all = Object.entries({ ...copies, '': bytes });
    await Promise.all(all.map(([suffix, content]) => this.objects.create(`${key}${suffix}`, content)));
  }

  async #readJson<Schema extends z.ZodMiniType>(
    key: string,
    schema: Schema,
  ): Promise<{ value: z.infer<Schema>; tag: string } | undefined> {
    const found = await this.objects.read(key);
    if (!found) return undefined;
    try {
      return { value: schema.parse(JSON.parse(new TextDecoder().decode(found.bytes))), tag: found.tag };
    } catch (cause) {
      throw new ReleaseFault(
        `${key} in ${this.objects.where} is damaged. Put a copy of it back, or release into a new store.`,
        { cause },
      );
    }
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function encodeJson(value: unknown): Uint8Array {
  return encode(`${JSON.stringify(value, null, 2)}\n`);
}

import { realpath, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseIdPattern } from '@countersign/contracts/page-report';
import { versionsIn } from '@countersign/contracts/release-versions';
import { landingPages, pageFiles, shellCanaryFile } from '../store/page-files.ts';
import { errorMessage } from '../platform/errors.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import type { LiveState } from '../store/live-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import type { FileHashes } from '../store/stored-documents.ts';
import { isIntact } from '../store/stored-files.ts';
import { unlessDamaged } from '../store/stored-json.ts';
import { recordKey, type Artifact } from '../store/stored-records.ts';
import type { SiteFiles } from './site-files.ts';

/** Interval between two reads of the live state, in milliseconds. Visitors must get a release within a second. */
const pollInterval = 400;

/** How long a list of the bucket is cached, in milliseconds, so that requests for unknown files do not reach the bucket. */
const listInterval = 1000;

/** Interval between two removals of files that the bucket no longer has, in milliseconds. A removal ends after its live state is seen. */
const sweepInterval = 10_000;

/** How long a request waits for its file, in milliseconds. */
const fetchTimeout = 5000;

/**
 * A local folder with the files that a site serves from a bucket. Copies pages and versions of each new release, and then switches
 * to it in one step. Fetches other versions and releases when a client requests them. While the bucket is unavailable, the site
 * shows the release in the folder, also after a restart.
 */
export class BucketMirror implements SiteFiles {
  readonly #bucket: ReleaseStore;
  readonly #folder: DirectoryStore;
  /** The store in the folder, without records. */
  readonly #copy: ReleaseStore;
  readonly #warn: (message: string) => void;
  /** Prefix of a version or a release → its fetch, which runs or has ended. */
  readonly #fetches = new Map<string, Promise<unknown>>();
  #listed: { readonly at: number; readonly artifacts: Promise<readonly Artifact[]> } | undefined;
  /** The live state that the site shows; `undefined` until the first update. */
  #liveState: LiveState | undefined;
  #sweptAt = 0;

  constructor(bucket: ReleaseStore, folder: string, warn: (message: string) => void) {
    this.#bucket = bucket;
    this.#warn = warn;
    this.#folder = new DirectoryStore(folder);
    this.#copy = new ReleaseStore(this.#folder);
  }

  pathOf(key: string): string {
    return this.#folder.pathOf(key);
  }

  /** Shows the release in the folder without asking the bucket, or else the live one. Throws a {@link ReleaseError} if there is neither. */
  async start(): Promise<void> {
    const hasEarlier = (await realpath(this.pathOf('current')).catch(() => undefined)) !== undefined;
    if (!hasEarlier) await this.#update();
  }

  /** Follows the live release until `stopping` is aborted. Warns once each time that the bucket becomes unavailable, and of lost files. */
  async follow(stopping: AbortSignal): Promise<void> {
    for (let isAvailable = true; !stopping.aborted;) {
      try {
        await this.#update();
        if (!isAvailable) this.#warn('the bucket is available again');
        isAvailable = true;
      } catch (error) {
        if (isAvailable) this.#warn(`the release that is here stays shown: ${errorMessage(error)}`);
        isAvailable = false;
      }
      await delay(pollInterval, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** Shows the live release if it is new, and removes stale files. */
  async #update(): Promise<void> {
    const liveState = await this.#bucket.liveStore.require(this.#liveState);
    const isNew = liveState.tag !== this.#liveState?.tag;
    if (isNew) await this.#show(liveState);
    if (isNew || performance.now() - this.#sweptAt > sweepInterval) await this.#removeStale();
  }

  /**
   * Copies all files of a release, and then switches the root of the site to its pages. Throws a {@link ReleaseError} if the bucket
   * does not have a landing page. A lost file or record of one part must not stop the changes of others.
   */
  async #show(liveState: LiveState): Promise<void> {
    const { release } = liveState;
    const { releaseId } = release;
    const shown = release.shell.canary ? [...landingPages, shellCanaryFile] : [pageFiles.landing];
    // The records of earlier releases are not needed any more.
    this.#bucket.forgetHashes();
    // Also known versions, because there may be new deltas of their files.
    const [pages, ...lostFiles] = await Promise.all([
      this.#fetch(release),
      ...versionsIn(release).map(async (named) => {
        const present = await this.#fetch(named);
        const hashes = await this.#hashesOf(named);
        return hashes ? this.#lostFile(named, Object.keys(hashes), present) : recordKey(named);
      }),
    ]);
    const lostPage = this.#lostFile(release, shown, pages);
    if (lostPage !== undefined) throw new ReleaseError(this.#describeLost(lostPage));
    // The time of the release, because entity tags contain it, and must be equal on all servers, and after a change of no page.
    const record = await unlessDamaged(this.#bucket.releaseRecord(releaseId));
    const at = new Date(record?.at ?? liveState.historyEntry.at);
    for (const name of pages) await utimes(this.pathOf(`pages/${releaseId}/${name}`), at, at);
    await this.#copy.linkPages(release);
    this.#liveState = liveState;
    for (const lost of lostFiles) if (lost !== undefined) this.#warn(this.#describeLost(lost));
    // The cached list may be older than the release.
    this.#listed = undefined;
  }

  async fetchMissing(target: string): Promise<boolean> {
    const wanted = artifactIn(target);
    if (!wanted) return false;
    const { prefix } = this.#copy.filesOf(wanted);
    const isWanted = (artifact: Artifact) => this.#copy.filesOf(artifact).prefix === prefix;
    const fetching = async () => {
      const isStored = this.#fetches.has(prefix) || (await this.#artifacts()).some(isWanted);
      if (isStored) await (this.#fetches.get(prefix) ?? this.#fetch(wanted));
      return isStored;
    };
    return Promise.race([
      // While the bucket is unavailable, the file is missing.
      fetching().catch(() => false),
      delay(fetchTimeout, false, { ref: false }),
    ]);
  }

  /** Copies the missing files of a version or a release, without damaged ones. Resolves to the names of all that are here. */
  #fetch(artifact: Artifact): Promise<ReadonlySet<string>> {
    const { prefix } = this.#copy.filesOf(artifact);
    const fetching = this.#copyFiles(artifact);
    this.#fetches.set(prefix, fetching);
    fetching.catch(() => this.#fetches.delete(prefix));
    return fetching;
  }

  /** The key of the first of the needed files that is not here. */
  #lostFile(artifact: Artifact, needed: readonly string[], present: ReadonlySet<string>): string | undefined {
    const lost = needed.find((name) => !present.has(name));
    return lost === undefined ? undefined : `${this.#copy.filesOf(artifact).prefix}${lost}`;
  }

  #describeLost(key: string): string {
    return `${key} could not be read from ${this.#bucket.displayName}. Run "status --verify".`;
  }

  /** The hashes of a version; `undefined` without a valid record, and for a release. */
  async #hashesOf(artifact: Artifact): Promise<FileHashes | undefined> {
    return 'part' in artifact
      ? unlessDamaged(this.#bucket.hashesOf(artifact.part, artifact.version))
      : undefined;
  }

  async #copyFiles(artifact: Artifact): Promise<ReadonlySet<string>> {
    const [from, to] = [this.#bucket.filesOf(artifact), this.#copy.filesOf(artifact)];
    const present = new Set(await to.list());
    const missing = (await from.list()).filter((name) => !present.has(name));
    const hashes = await this.#hashesOf(artifact);
    if (!hashes && 'part' in artifact) return present;
    await mapConcurrently(missing, async (name) => {
      const bytes = await from.read(name);
      // A damaged file counts as missing, so that it is fetched again after it was restored.
      if (!bytes || !(await isIntact(name, bytes, hashes ?? {}))) return;
      await to.add(name, bytes);
      present.add(name);
    });
    return present;
  }

  /** Removes the versions and releases that the bucket no longer has. */
  async #removeStale(): Promise<void> {
    const artifacts = await this.#artifacts();
    // The next request for a file that was missing looks for it again.
    this.#fetches.clear();
    const prefixes = new Set(artifacts.map((each) => this.#copy.filesOf(each).prefix));
    const keys = [...(await this.#folder.list('parts/')), ...(await this.#folder.list('pages/'))];
    const isStale = (key: string) => {
      const [prefix = key] = /^(?:parts\/[^/]+\/[^/]+|pages\/[^/]+)\//.exec(key) ?? [];
      return !prefixes.has(prefix);
    };
    await this.#folder.remove(keys.filter(isStale));
    this.#sweptAt = performance.now();
  }

  /** The versions and releases in the bucket, and those that the site shows. Lists at most once a second. */
  #artifacts(): Promise<readonly Artifact[]> {
    const now = performance.now();
    if (!this.#listed || now - this.#listed.at > listInterval) {
      const { release } = this.#liveState ?? {};
      const shown = release ? [release, ...versionsIn(release)] : [];
      const listing = Promise.all([this.#bucket.knownVersions(), this.#bucket.releaseIds()]);
      const artifacts = listing.then(([versions, ids]) => [
        ...versions,
        ...ids.map((releaseId) => ({ releaseId })),
        ...shown,
      ]);
      this.#listed = { at: now, artifacts };
    }
    return this.#listed.artifacts;
  }
}

/** The version, or the stored release, that a request target asks for. */
function artifactIn(target: string): Artifact | undefined {
  const [, part, version] = /^\/([\w-]+)\/([^/?]+)\/./.exec(target) ?? [];
  if (part !== undefined && version !== undefined) return { part, version };
  const [, releaseId = ''] = /^\/\?(?:.*&)?release=([^&]*)/.exec(target) ?? [];
  return releaseIdPattern.test(releaseId) ? { releaseId } : undefined;
}

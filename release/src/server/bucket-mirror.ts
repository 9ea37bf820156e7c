import { realpath, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';
import { landingPages, pageFiles, shellCanaryFile } from '../page/page-files.ts';
import { errorMessage } from '../platform/file-error.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { pagePrefix, versionPrefix, type LiveState, type ReleaseStore } from '../store/release-store.ts';
import type { SiteFiles } from './site-files.ts';

/** Interval between two reads of the live state, in milliseconds. Visitors must get a release within a second. */
const pollInterval = 400;

/** How long a list of the bucket is cached, in milliseconds, so that requests for unknown files do not reach the bucket. */
const listInterval = 1000;

/** Interval between two removals of files that the bucket no longer has, in milliseconds. */
const sweepInterval = 60_000;

/** Objects that are copied at the same time. */
const concurrency = 16;

/** How long a request waits for its file, in milliseconds. */
const fetchTimeout = 5000;

/**
 * A local folder with the files that a site serves from a bucket. Copies pages and versions of each new release, and then switches
 * to it in one step. Fetches other versions and releases when a client requests them. While the bucket is unavailable, the site
 * shows the release in the folder, also after a restart. A prefix below is that of a version or of the pages of a release.
 */
export class BucketMirror extends DirectoryStore implements SiteFiles {
  readonly #bucket: ReleaseStore;
  /** Prefix → its fetch, which runs or has ended. */
  readonly #fetches = new Map<string, Promise<unknown>>();
  #listed: { readonly at: number; readonly prefixes: Promise<ReadonlySet<string>> } | undefined;
  /** The state that the site shows; `undefined` until the first update. */
  #live: LiveState | undefined;
  #sweptAt = 0;

  constructor(bucket: ReleaseStore, folder: string) {
    super(folder);
    this.#bucket = bucket;
  }

  /** Shows the release in the folder without asking the bucket, or else the live one. Throws a {@link ReleaseError} if there is neither. */
  async start(): Promise<void> {
    const hasEarlier = (await realpath(this.rootDirectory).catch(() => undefined)) !== undefined;
    if (!hasEarlier) await this.#update();
  }

  /** Follows the live release until `stopping` is aborted. Warns once each time that the bucket becomes unavailable. */
  async follow(stopping: AbortSignal, warn: (message: string) => void): Promise<void> {
    for (let isAvailable = true; !stopping.aborted;) {
      try {
        await this.#update();
        if (!isAvailable) warn('the bucket is available again');
        isAvailable = true;
      } catch (error) {
        if (isAvailable) warn(`the release that is here stays shown: ${errorMessage(error)}`);
        isAvailable = false;
      }
      await delay(pollInterval, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** Shows the live release if it is new, and removes stale files. */
  async #update(): Promise<void> {
    const live = await this.#bucket.requireLive();
    const isNew = live.tag !== this.#live?.tag;
    if (isNew) await this.#show(live);
    if (isNew || performance.now() - this.#sweptAt > sweepInterval) await this.#removeStale();
  }

  /**
   * Copies all files of a release, and then switches the root of the site to its pages. Throws a {@link ReleaseError} if a landing
   * page or a published file is missing, because the bucket does not have it.
   */
  async #show(live: LiveState): Promise<void> {
    const { release, entry } = live;
    const pages = pagePrefix(release.releaseId);
    const versions = referencedVersions(release);
    // Also known versions, because there may be new deltas of their files.
    const fetched = [pages, ...versions.map(prefixOf)].map((prefix) => this.#fetch(prefix));
    const keys = new Set((await Promise.all(fetched)).flat());
    const needed = versions.map(async (named) => {
      const files = await this.#bucket.hashesOf(named.part, named.version);
      return Object.keys(files ?? {}).map((file) => `${prefixOf(named)}${file}`);
    });
    const shown = release.shell.canary ? [...landingPages, shellCanaryFile] : [pageFiles.landing];
    const all = [...shown.map((name) => `${pages}${name}`), ...(await Promise.all(needed)).flat()];
    const missing = all.find((key) => !keys.has(key));
    if (missing !== undefined) {
      throw new ReleaseError(
        `${missing} could not be read from ${this.#bucket.objects.displayName}. Run "status --verify".`,
      );
    }
    // The time of the release, because entity tags contain it, and must be equal on all servers.
    const at = new Date(entry.at);
    for (const key of keys) if (key.startsWith(pages)) await utimes(this.pathOf(key), at, at);
    await this.linkCurrent(pages);
    this.#live = live;
    // The cached list may be older than the release.
    this.#listed = undefined;
  }

  async fetchMissing(target: string): Promise<boolean> {
    const prefix = prefixIn(target);
    if (prefix === undefined) return false;
    const fetching = async () => {
      const isStored = this.#fetches.has(prefix) || (await this.#storedPrefixes()).has(prefix);
      if (isStored) await (this.#fetches.get(prefix) ?? this.#fetch(prefix));
      return isStored;
    };
    return Promise.race([
      // While the bucket is unavailable, the file is missing.
      fetching().catch(() => false),
      delay(fetchTimeout, false, { ref: false }),
    ]);
  }

  /** Copies the missing objects below a prefix. Resolves to the keys of all that are here. */
  #fetch(prefix: string): Promise<readonly string[]> {
    const fetching = this.#fetchObjects(prefix);
    this.#fetches.set(prefix, fetching);
    fetching.catch(() => this.#fetches.delete(prefix));
    return fetching;
  }

  async #fetchObjects(prefix: string): Promise<readonly string[]> {
    const present = new Set(await this.list(prefix));
    const missing = (await this.#bucket.objects.list(prefix)).filter((key) => !present.has(key)).values();
    const copyNext = async () => {
      // All of these loops share the iterator.
      for (const key of missing) {
        const found = await this.#bucket.objects.read(key);
        if (!found) continue;
        await this.create(key, found.bytes);
        present.add(key);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, copyNext));
    return [...present];
  }

  /** Removes the versions and releases that the bucket no longer has. */
  async #removeStale(): Promise<void> {
    const stored = await this.#storedPrefixes();
    const keys = [...(await this.list('parts/')), ...(await this.list('pages/'))];
    const isStale = (key: string) => {
      const [prefix = key] = /^(?:parts\/[^/]+\/[^/]+|pages\/[^/]+)\//.exec(key) ?? [];
      return !stored.has(prefix);
    };
    const stale = keys.filter(isStale);
    for (const prefix of this.#fetches.keys()) if (!stored.has(prefix)) this.#fetches.delete(prefix);
    await this.remove(stale);
    this.#sweptAt = performance.now();
  }

  /** Prefixes of the versions and releases in the bucket. Lists at most once a second. */
  #storedPrefixes(): Promise<ReadonlySet<string>> {
    const now = performance.now();
    if (!this.#listed || now - this.#listed.at > listInterval) {
      this.#listed = { at: now, prefixes: this.#listPrefixes() };
    }
    return this.#listed.prefixes;
  }

  async #listPrefixes(): Promise<ReadonlySet<string>> {
    const { objects } = this.#bucket;
    const [versions, releaseIds] = await Promise.all([objects.list('versions/'), this.#bucket.releaseIds()]);
    const names = versions.map((key) => /^versions\/([^/]+)\/(.+)\.json$/.exec(key));
    const stored = names.flatMap((name) => (name ? [versionPrefix(name[1] ?? '', name[2] ?? '')] : []));
    return new Set([
      ...stored,
      ...releaseIds.map(pagePrefix),
      // Always kept, because the site shows them.
      ...(this.#live
        ? [pagePrefix(this.#live.release.releaseId), ...referencedVersions(this.#live.release).map(prefixOf)]
        : []),
    ]);
  }
}

/** The prefix of a version, or of a stored release, that a request target asks for. */
function prefixIn(target: string): string | undefined {
  const [, part, version] = /^\/([\w-]+)\/([^/?]+)\/./.exec(target) ?? [];
  if (part !== undefined && version !== undefined) return versionPrefix(part, version);
  const [, releaseId] = /^\/\?(?:.*&)?release=(r-[0-9a-f]{12})(?:&|$)/.exec(target) ?? [];
  return releaseId === undefined ? undefined : pagePrefix(releaseId);
}

function prefixOf({ part, version }: ReferencedVersion): string {
  return versionPrefix(part, version);
}

import { realpath, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';
import { pageFiles } from '../page/page-files.ts';
import { errorMessage } from '../store/file-error.ts';
import { ReleaseError } from '../store/release-error.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import {
  NothingIsLive,
  pagePrefix,
  versionPrefix,
  type LiveState,
  type ReleaseStore,
} from '../store/release-store.ts';
import type { SiteFiles } from './site-files.ts';

/** Interval between two reads of the live state, in milliseconds. Visitors must get a release within a second. */
const pollInterval = 400;

/** The same after a failure. Longer, because each attempt lists and fetches the missing files. */
const retryInterval = 2000;

/** How long a list of the bucket is cached, in milliseconds, so that requests for unknown files do not reach the bucket. */
const listInterval = 1000;

/** Interval between two removals of files that the bucket no longer has, in milliseconds. */
const sweepInterval = 60_000;

/** Objects that are copied at the same time. */
const concurrency = 16;

/** How long a request waits for its file, in milliseconds. */
const fetchTimeout = 5000;

/** How long a server that could show an earlier release waits for the bucket when it starts, in milliseconds. */
const startTimeout = 3000;

/**
 * A local folder with the files that a site serves from a bucket. Copies pages and versions of each new release, and then switches
 * to it in one step. Fetches other versions and releases when a client requests them. While the bucket is unavailable, the site
 * shows the release in the folder, also after a restart. A prefix below is that of a version or of the pages of a release.
 */
export class BucketMirror implements SiteFiles {
  readonly #bucket: ReleaseStore;
  readonly #local: DirectoryStore;
  /** Prefix → the fetch that is running. */
  readonly #fetching = new Map<string, Promise<boolean>>();
  /** The last list of the bucket's prefixes. */
  #listed: { readonly at: number; readonly prefixes: Promise<ReadonlySet<string>> } | undefined;
  /** Prefixes whose objects are all in the folder. */
  readonly #complete = new Set<string>();
  /** The state that the site shows; `undefined` until the first update. */
  #live: LiveState | undefined;
  #sweptAt = 0;
  /** The first update, which may go on after {@link start}. */
  #starting: Promise<void> = Promise.resolve();

  constructor(bucket: ReleaseStore, folder: string) {
    this.#bucket = bucket;
    this.#local = new DirectoryStore(folder);
  }

  get rootDirectory(): string {
    return this.#local.rootDirectory;
  }

  pathOf(key: string): string {
    return this.#local.pathOf(key);
  }

  /** Shows the live release or, while the bucket is unavailable, the one in the folder. Throws a {@link ReleaseError} if there is none. */
  async start(warn: (message: string) => void): Promise<void> {
    const hasEarlier = (await realpath(this.rootDirectory).catch(() => undefined)) !== undefined;
    this.#starting = this.#update();
    try {
      await (hasEarlier ? Promise.race([this.#starting, failAfter(startTimeout)]) : this.#starting);
    } catch (error) {
      if (!hasEarlier) throw error;
      warn(unavailable(error));
    }
  }

  /** Follows the live release until `stopping` is aborted. Warns once each time that the bucket becomes unavailable. */
  async follow(stopping: AbortSignal, warn: (message: string) => void): Promise<void> {
    // Two updates at once could end in the wrong order.
    await this.#starting.catch(() => undefined);
    let isAvailable = true;
    for (;;) {
      const interval = isAvailable ? pollInterval : retryInterval;
      await delay(interval, undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return;
      try {
        await this.#update();
        if (!isAvailable) warn('the bucket is available again');
        isAvailable = true;
      } catch (error) {
        if (isAvailable) warn(unavailable(error));
        isAvailable = false;
      }
    }
  }

  /** Shows the live release if it is new, and removes stale files. */
  async #update(): Promise<void> {
    const live = await this.#bucket.readLive();
    if (!live) throw new NothingIsLive();
    const isNew = live.tag !== this.#live?.tag;
    if (isNew) await this.#show(live);
    if (isNew || performance.now() - this.#sweptAt > sweepInterval) await this.#removeStale();
  }

  /** Copies all files of a release, and then switches the root of the site to its pages. */
  async #show(live: LiveState): Promise<void> {
    const pages = pagePrefix(live.release.releaseId);
    const versions = referencedVersions(live.release);
    // Also complete versions, because there may be new deltas of their files.
    await Promise.all([pages, ...versions.map(prefixOf)].map((prefix) => this.#fetchAgain(prefix)));
    await this.#assertComplete(pages, versions);
    await this.#dateFiles(pages, live);
    await this.#local.serveAtRoot(pages);
    this.#live = live;
    this.#listed = undefined;
  }

  async fetchMissing(target: string): Promise<boolean> {
    const prefix = prefixIn(target);
    if (prefix === undefined || this.#complete.has(prefix)) return false;
    const fetchIfStored = async () => (await this.#storedPrefixes()).has(prefix) && this.#fetch(prefix);
    return Promise.race([
      // While the bucket is unavailable, the file is missing.
      fetchIfStored().catch(() => false),
      delay(fetchTimeout, false, { ref: false }),
    ]);
  }

  /** Fetches after a running fetch, which may have listed the prefix before all its objects were stored. */
  async #fetchAgain(prefix: string): Promise<void> {
    await this.#fetching.get(prefix)?.catch(() => undefined);
    await this.#fetch(prefix);
  }

  /** Throws a {@link ReleaseError} if the landing page or a published file is missing, because the bucket does not have it. */
  async #assertComplete(pages: string, versions: readonly ReferencedVersion[]): Promise<void> {
    const needed = await Promise.all(
      versions.map(async (named) => {
        const files = await this.#bucket.hashesOf(named.part, named.version);
        return Object.keys(files ?? {}).map((file) => `${prefixOf(named)}${file}`);
      }),
    );
    const present = new Set([...(await this.#local.list('pages/')), ...(await this.#local.list('parts/'))]);
    const missing = [`${pages}${pageFiles.landing}`, ...needed.flat()].find((key) => !present.has(key));
    if (missing === undefined) return;
    throw new ReleaseError(
      `${missing} could not be read from ${this.#bucket.objects.displayName}. Run "verify".`,
    );
  }

  /** Copies the missing objects below a prefix. Resolves to whether there were any. */
  #fetch(prefix: string): Promise<boolean> {
    const fetching =
      this.#fetching.get(prefix) ?? this.#fetchObjects(prefix).finally(() => this.#fetching.delete(prefix));
    this.#fetching.set(prefix, fetching);
    return fetching;
  }

  async #fetchObjects(prefix: string): Promise<boolean> {
    const present = new Set(await this.#local.list(prefix));
    const missing = (await this.#bucket.objects.list(prefix)).filter((key) => !present.has(key));
    const remaining = missing.values();
    const copyNext = async () => {
      // All of these loops share the iterator.
      for (const key of remaining) {
        const found = await this.#bucket.objects.read(key);
        if (found) await this.#local.create(key, found.bytes);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, copyNext));
    this.#complete.add(prefix);
    return missing.length > 0;
  }

  /** Sets the time of the pages to that of the release, so that the entity tags, which contain it, are equal on all servers. */
  async #dateFiles(pages: string, { entry }: LiveState): Promise<void> {
    const at = new Date(entry.at);
    for (const key of await this.#local.list(pages)) await utimes(this.pathOf(key), at, at);
  }

  /** Removes the versions and releases that the bucket no longer has. */
  async #removeStale(): Promise<void> {
    const stored = await this.#storedPrefixes();
    const keys = [...(await this.#local.list('parts/')), ...(await this.#local.list('pages/'))];
    const isStale = (key: string) => {
      const [prefix = key] = /^(?:parts\/[^/]+\/[^/]+|pages\/[^/]+)\//.exec(key) ?? [];
      return !stored.has(prefix);
    };
    const stale = keys.filter(isStale);
    for (const prefix of this.#complete) if (!stored.has(prefix)) this.#complete.delete(prefix);
    await this.#local.remove(stale);
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

async function failAfter(timeout: number): Promise<never> {
  await delay(timeout, undefined, { ref: false });
  throw new ReleaseError('the bucket has not answered yet.');
}

function unavailable(error: unknown): string {
  return `the release that is here stays shown: ${errorMessage(error)}`;
}

function prefixOf({ part, version }: ReferencedVersion): string {
  return versionPrefix(part, version);
}

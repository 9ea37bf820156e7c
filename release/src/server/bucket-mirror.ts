import { realpath, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';
import { withdrawnIn } from '../deploy/withdrawn-versions.ts';
import { pageFiles } from '../page/reserved-names.ts';
import { errorMessage } from '../platform/file-error.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { copyObjects } from '../store/copy-store.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import {
  nothingIsLive,
  pagePrefix,
  versionPrefix,
  type LiveState,
  type ReleaseStore,
} from '../store/release-store.ts';
import type { SiteFiles } from './site-files.ts';

/** Between two looks for a new release, in milliseconds. A release is to be seen within a second. */
const pollInterval = 400;

/** After a failure, in milliseconds, because each try lists and fetches what is missing. */
const retryInterval = 2000;

/** Between two lists of what the bucket has, in milliseconds, so that requests for what is nowhere do not reach the bucket. */
const listInterval = 1000;

/** Between two removals of what the bucket has no more, in milliseconds. */
const sweepInterval = 60_000;

/** How long a request waits for its file, in milliseconds. */
const fetchTimeout = 5000;

/** How long a server that could show an earlier release waits for the bucket when it starts, in milliseconds. */
const startTimeout = 3000;

/**
 * A copy of what a site serves from a bucket, in a folder. Copies pages and versions of each new release, and then switches to it
 * in one step. Fetches other versions and releases when they are asked for. While the bucket is unavailable, the site
 * shows what is here, also after a restart.
 */
export class BucketMirror implements SiteFiles {
  readonly #bucket: ReleaseStore;
  readonly #local: DirectoryStore;
  readonly #fetching = new Map<string, Promise<boolean>>();
  #listed: { readonly at: number; readonly prefixes: Promise<ReadonlySet<string>> } | undefined;
  /** Prefixes whose objects are all here. */
  readonly #complete = new Set<string>();
  #live: LiveState | undefined;
  #sweptAt = 0;
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

  /** Shows the live release or, while the bucket is unavailable, the one that is here. Throws a {@link ReleaseError} if there is none. */
  async start(warn: (message: string) => void): Promise<void> {
    const isShown = (await realpath(this.rootDirectory).catch(() => undefined)) !== undefined;
    this.#starting = this.#update();
    try {
      await (isShown ? Promise.race([this.#starting, failAfter(startTimeout)]) : this.#starting);
    } catch (error) {
      if (!isShown) throw error;
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

  async #update(): Promise<void> {
    const live = await this.#bucket.readLive();
    if (!live) throw nothingIsLive();
    const isNew = live.tag !== this.#live?.tag;
    if (isNew) await this.#showIfSettled(live);
    if (isNew || performance.now() - this.#sweptAt > sweepInterval) await this.#removeStale();
  }

  /** Throws a {@link ReleaseError} for a live state that other servers do not show either: one that was set back, or names a withdrawn version. */
  async #showIfSettled(live: LiveState): Promise<void> {
    await this.#bucket.readLiveForChange();
    const [withdrawn] = withdrawnIn(live.release, live.withdrawn);
    if (withdrawn) {
      throw new ReleaseError(
        `The live release names ${withdrawn.part} ${withdrawn.version}, which was withdrawn. Roll it back.`,
      );
    }
    await this.#show(live);
  }

  async #show(live: LiveState): Promise<void> {
    const pages = pagePrefix(live.release.releaseId);
    const versions = referencedVersions(live.release);
    // Of a version that is here already, there can be new deltas.
    await Promise.all([pages, ...versions.map(prefixOf)].map((prefix) => this.#fetchAgain(prefix)));
    await this.#assertComplete(pages, versions);
    await this.#dateFiles(pages, live);
    await this.#local.serveAtRoot(pages, async () => true);
    this.#live = live;
    this.#listed = undefined;
  }

  async fetchMissing(target: string): Promise<boolean> {
    const [, part, version] = /^\/([\w-]+)\/([^/?]+)\/./.exec(target) ?? [];
    const [, releaseId] = /^\/\?(?:.*&)?release=(r-[0-9a-f]{12})(?:&|$)/.exec(target) ?? [];
    const ofVersion = part !== undefined && version !== undefined && versionPrefix(part, version);
    const prefix = ofVersion || (releaseId !== undefined && pagePrefix(releaseId));
    if (prefix === false || this.#complete.has(prefix)) return false;
    const fetchIfStored = async () => (await this.#storedPrefixes()).has(prefix) && this.#fetch(prefix);
    return Promise.race([
      // Without the bucket, the file is missing.
      fetchIfStored().catch(() => false),
      delay(fetchTimeout, false, { ref: false }),
    ]);
  }

  /** A fetch that has begun earlier may have listed the folder before it was complete. */
  async #fetchAgain(prefix: string): Promise<void> {
    await this.#fetching.get(prefix)?.catch(() => undefined);
    await this.#fetch(prefix);
  }

  /** Throws a {@link ReleaseError} if a page or a published file is missing here, because the bucket did not give it. */
  async #assertComplete(pages: string, versions: readonly ReferencedVersion[]): Promise<void> {
    const needed = await Promise.all(
      versions.map(async (named) => {
        const files = await this.#bucket.hashesOf(named.part, named.version);
        return Object.keys(files ?? {}).map((file) => `${prefixOf(named)}${file}`);
      }),
    );
    const here = new Set([...(await this.#local.list('pages/')), ...(await this.#local.list('parts/'))]);
    const missing = [`${pages}${pageFiles.landing}`, ...needed.flat()].find((key) => !here.has(key));
    if (missing === undefined) return;
    throw new ReleaseError(
      `${missing} could not be read from ${this.#bucket.objects.displayName}. Run "verify".`,
    );
  }

  /** Fetches the objects of a folder that are not here. Resolves to whether there were any. */
  #fetch(prefix: string): Promise<boolean> {
    const fetching =
      this.#fetching.get(prefix) ?? this.#fetchObjects(prefix).finally(() => this.#fetching.delete(prefix));
    this.#fetching.set(prefix, fetching);
    return fetching;
  }

  async #fetchObjects(prefix: string): Promise<boolean> {
    const here = new Set(await this.#local.list(prefix));
    const missing = (await this.#bucket.objects.list(prefix)).filter((key) => !here.has(key));
    await copyObjects(this.#bucket.objects, this.#local, missing);
    this.#complete.add(prefix);
    return missing.length > 0;
  }

  /** Gives the pages the time of the release, because their entity tags contain it and all servers are to send the same. */
  async #dateFiles(pages: string, { entry }: LiveState): Promise<void> {
    const at = new Date(entry.at);
    for (const key of await this.#local.list(pages)) await utimes(this.pathOf(key), at, at);
  }

  /** Removes the versions and releases that the bucket has no more. */
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

  /** Prefixes of the versions and releases in the bucket. */
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
    // Their files are removed only after the change that withdraws them.
    const withdrawn = new Set(this.#live?.withdrawn.map(prefixOf));
    return new Set([
      ...stored.filter((prefix) => !withdrawn.has(prefix)),
      ...releaseIds.map(pagePrefix),
      // Whatever a list says, what is shown stays.
      ...(this.#live
        ? [pagePrefix(this.#live.release.releaseId), ...referencedVersions(this.#live.release).map(prefixOf)]
        : []),
    ]);
  }
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

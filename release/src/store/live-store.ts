import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { errorMessage } from '../platform/errors.ts';
import { IncompleteChange, ReleaseError } from '../platform/release-error.ts';
import {
  type Freezes,
  storedHistoryEntry,
  type HistoryEntry,
  storedLiveState,
  type RecordedChange,
} from './stored-documents.ts';
import { UncertainWrite, type ObjectStore } from './object-store.ts';
import { encodeJson, parseJson, readJson, unlessDamaged } from './stored-json.ts';

/** Content of `live.json`, with the history entry of the newest change, and the tag that a replacement needs. */
export interface LiveState {
  readonly release: ReleaseDocument;
  readonly historyEntry: HistoryEntry;
  readonly siteConfig: SiteConfig;
  /** Expired ones are still in it. */
  readonly freezes?: Freezes | undefined;
  readonly tag: string;
}

/** The content that a commit makes live. */
interface NextLive extends Pick<LiveState, 'release' | 'siteConfig' | 'freezes'> {
  /** SHA-256 of the pages, which the history entry records. */
  readonly releaseHash: string;
}

export class NothingIsLive extends ReleaseError {
  constructor() {
    super('Nothing is live yet. Publish and promote the shell first.');
  }
}

const liveKey = 'live.json';
const entryKey = (sequence: number) => `history/${String(sequence).padStart(8, '0')}.json`;

/** Attempts of a change that leaves the page as it is. */
const maxAttempts = 30;

/** The error of a change that has lost too many races. */
export const lostEveryRace = (attempts: number) =>
  new ReleaseError(
    `Another change was committed during each attempt (${attempts}); nothing was changed. Try again in a minute.`,
  );

/** Entries of the history that are read at the same time. */
const concurrency = 16;

/**
 * The live state (`live.json`) with the newest change, and the changes before it (`history/`). A change replaces `live.json` by
 * compare-and-swap, and moves the entry of the change before it to the history.
 */
export class LiveStore {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /**
   * The live state; `undefined` before the first release. Throws a {@link ReleaseError} if it is damaged.
   *
   * @param known returned if it is still live. A bucket does not send it again
   */
  async read(known?: LiveState): Promise<LiveState | undefined> {
    const objects = this.#objects;
    const found = await (known ? objects.readIfChanged(liveKey, known.tag) : objects.read(liveKey));
    if (found === 'unchanged') return known;
    if (!found) return undefined;
    return { ...parseJson(objects, liveKey, storedLiveState, found), tag: found.tag };
  }

  /** The live state, see {@link LiveStore.read}. Throws {@link NothingIsLive} before the first release. */
  async require(known?: LiveState): Promise<LiveState> {
    const liveState = await this.read(known);
    if (!liveState) throw new NothingIsLive();
    return liveState;
  }

  /**
   * Commits a change that leaves the page as it is, see {@link LiveStore.commit}. Resolves to the live release and the entry of the change.
   * Throws a {@link ReleaseError} if it has lost too many races.
   *
   * @param decide describes the change of a live state, or throws. Called again after a lost race
   */
  async commitWithoutNewPage(
    decide: (liveState: LiveState) => RecordedChange & Pick<LiveState, 'freezes'>,
  ): Promise<Pick<LiveState, 'release' | 'historyEntry'>> {
    for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
      const liveState = await this.require();
      const { freezes = liveState.freezes, ...change } = decide(liveState);
      const { releaseHash } = liveState.historyEntry;
      const historyEntry = await this.commit(liveState, change, { ...liveState, releaseHash, freezes });
      if (historyEntry) return { release: liveState.release, historyEntry };
      await delay(Math.random() * 50 * attempts);
    }
    throw lostEveryRace(maxAttempts);
  }

  /**
   * Makes a stored release live by compare-and-swap, together with its history entry, to which it resolves. `undefined`: another
   * change was committed since `before` was read, and nothing was written.
   */
  async commit(
    before: LiveState | undefined,
    change: RecordedChange,
    { release, releaseHash, siteConfig, freezes = before?.freezes }: NextLive,
  ): Promise<HistoryEntry | undefined> {
    // A killed release may not have recorded its entry.
    if (before) await this.#addEntry(before.historyEntry);
    const { releaseId } = release;
    const sequence = (before?.historyEntry.sequence ?? 0) + 1;
    const at = new Date().toISOString();
    const historyEntry = { sequence, id: randomUUID(), at, ...change, releaseId, releaseHash };
    const next = encodeJson({ release, entry: historyEntry, site: siteConfig, freezes });
    try {
      const outcome = await this.#objects.replace(liveKey, next, before?.tag);
      // The answer to a write that succeeded may be lost. Its repetition then finds the object changed.
      if (outcome === 'changed' && !(await this.#isCommitted(historyEntry))) return undefined;
    } catch (cause) {
      const found = await this.#isCommitted(historyEntry).catch(() => undefined);
      // An uncertain write that is not found now may still succeed later.
      if (found === false && !(cause instanceof UncertainWrite)) throw cause;
      if (found !== true) {
        throw new IncompleteChange(
          `It is unknown whether the change was committed as entry ${historyEntry.sequence} of the history: ${errorMessage(cause)} Run "history" before you repeat the command.`,
          { cause },
        );
      }
    }
    // The change is committed. The next one records the entry if that fails now.
    await this.#addEntry(historyEntry).catch(() => undefined);
    return historyEntry;
  }

  /** Whether an entry is live or in the history. A later release moves it there before it replaces `live.json`. */
  async #isCommitted(historyEntry: HistoryEntry): Promise<boolean> {
    return (await this.read())?.historyEntry.id === historyEntry.id || (await this.#isRecorded(historyEntry));
  }

  /** The last `max` entries of the history, newest first, without missing and damaged ones. Reads no other entry. */
  recentHistory(liveState: Pick<LiveState, 'historyEntry'>, max: number): Promise<readonly HistoryEntry[]> {
    return Array.fromAsync(this.history(liveState, max));
  }

  /** The entries of {@link recentHistory} one by one, for callers that do not need them together. Reads a few at the same time. */
  async *history({ historyEntry }: Pick<LiveState, 'historyEntry'>, max = historyEntry.sequence) {
    yield historyEntry;
    const first = Math.max(1, historyEntry.sequence - max + 1);
    for (let end = historyEntry.sequence; end > first; end -= concurrency) {
      const length = Math.min(concurrency, end - first);
      const reading = Array.from({ length }, (_, index) => this.#readEntry(end - 1 - index));
      for (const found of await Promise.all(reading)) if (found) yield found;
    }
  }

  async #readEntry(sequence: number): Promise<HistoryEntry | undefined> {
    return unlessDamaged(readJson(this.#objects, entryKey(sequence), storedHistoryEntry));
  }

  async #isRecorded({ sequence, id }: HistoryEntry): Promise<boolean> {
    return (await this.#readEntry(sequence))?.id === id;
  }

  /** Adds an entry. Replaces a damaged one, and one that was added before `live.json` was restored from a backup. */
  async #addEntry(historyEntry: HistoryEntry): Promise<void> {
    const key = entryKey(historyEntry.sequence);
    if ((await this.#objects.create(key, encodeJson(historyEntry))) === 'created') return;
    if (!(await this.#isRecorded(historyEntry))) await this.#objects.overwrite(key, encodeJson(historyEntry));
  }
}

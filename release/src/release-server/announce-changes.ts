import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { describeEntry } from '../deploy/describe-change.ts';
import { errorMessage, undefinedIfMissing } from '../platform/errors.ts';
import { replaceFile } from '../platform/replace-file.ts';
import type { HistoryEntry } from '../store/stored-documents.ts';
import type { ReleaseStore } from '../store/release-store.ts';

interface Announcer {
  readonly store: ReleaseStore;
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
  /** Holds the sequence number of the last change that the receiver has accepted. */
  readonly cursorFile: string;
  /** Origin of the release board. */
  readonly board: string;
  readonly warn: (message: string) => void;
}

/** In milliseconds: between two reads of the history, and for an answer of the webhook. */
const interval = 5_000;
const timeout = 15_000;

/** Answers to the body of one announcement, which the same body would get again. */
const refusals = [400, 413, 422];

/** Announces changes until `stopping` is aborted. An attempt that fails is repeated, and warns once. */
export async function announceChanges(announcer: Announcer, stopping: AbortSignal): Promise<void> {
  let lastWarning: string | undefined;
  for (; !stopping.aborted; await delay(interval, undefined, { signal: stopping }).catch(() => undefined)) {
    const warning = await announceNew(announcer, stopping).then(
      () => undefined,
      (error: unknown) =>
        `RELEASE_WEBHOOK_URL gets no changes now, and will get them later: ${errorMessage(error)}`,
    );
    // A stop ends the request, which says nothing about the receiver.
    if (warning !== undefined && warning !== lastWarning && !stopping.aborted) announcer.warn(warning);
    lastWarning = warning;
  }
}

/**
 * Sends each change of the page since the cursor to a webhook, the oldest first, signed as Standard Webhooks. Each is sent at least
 * once: the cursor is written after the answer. A missing cursor stands before the newest change, because a store may be restored without
 * its cursor. An announcement whose body is refused must not stop those after it. Throws after another error of the receiver.
 */
export async function announceNew(announcer: Announcer, stopping: AbortSignal): Promise<void> {
  const { store, url, secret, cursorFile, board, warn } = announcer;
  const liveState = await store.liveStore.read();
  if (!liveState) return;
  const newest = liveState.historyEntry.sequence;
  const cursor = await readCursor(cursorFile, newest);
  const recent = newest > cursor ? await store.liveStore.recentHistory(liveState, newest - cursor) : [];
  for (const entry of recent.toReversed()) {
    const body = JSON.stringify(announcementOf(entry, board));
    const now = new Date();
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeout)]),
      headers: {
        'content-type': 'application/json',
        'webhook-id': entry.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(entry.id, now, body),
      },
      body,
    });
    // Only the status counts. An unread body would keep its connection open.
    await answer.body?.cancel();
    if (refusals.includes(answer.status))
      warn(
        `RELEASE_WEBHOOK_URL never gets entry ${entry.sequence} of the history: the answer is ${answer.status}.`,
      );
    else if (!answer.ok) throw new Error(`the answer is ${answer.status}.`);
    await replaceFile(cursorFile, String(entry.sequence));
  }
}

/** The cursor in a file. Writes it if there is none yet, or a false one. */
async function readCursor(file: string, newest: number): Promise<number> {
  const stored = await undefinedIfMissing(readFile(file, 'utf8'));
  // A file without a number is one that a crash has cut. Written before the first attempt, because the change may not be the newest
  // at the next one.
  const cursor = /^\d+$/.test(stored ?? '') ? Number(stored) : newest - 1;
  // A store that was restored from a backup has fewer changes than the cursor says.
  const valid = cursor > newest ? newest - 1 : cursor;
  if (String(valid) !== stored) await replaceFile(file, String(valid));
  return valid;
}

/** The body of a webhook. Chats such as Slack show its `text`. */
function announcementOf(entry: HistoryEntry, board: string): object {
  const { action, at, parts, from, to, who, why, releaseId } = entry;
  const text = `${describeEntry(entry)}, by ${who}${why === undefined ? '' : `: ${why}`} (${board})`;
  const data = { ...(parts.length === 1 && { part: parts[0] }), parts, from, to, who, why, releaseId, board };
  return { type: `release.${action}`, timestamp: at, text, data };
}

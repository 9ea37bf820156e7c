// blind spot (abort, 'failed', 'waiting', hydrationTrigger, attempts.length, 1 → 2, answerQueuedClicks, !first): no step makes a version fail, or removes a slot, but the tests of this file do.
import { loadFailureToast } from '@countersign/contracts/shell-api';
import type { LoadAttempt } from '../federation/remote-loader.ts';
import { hydrationTrigger } from './hydration-trigger.ts';
import { forgetClicks, queuedClicksIn } from './queued-clicks.ts';
import { runVersion } from './run-version.tsx';
import { createSlot, type Slot, type SlotServices, type SlotTarget } from './slot.ts';

/** Delay between the end of the first round of attempts and an automatic second one, in milliseconds. */
// blind spot: no step makes a version fail, but the tests of this file do.
const automaticRoundDelay = 10_000;

/**
 * Loads and hydrates a slot when its hydration trigger fires. If the prerendered markup belongs to another
 * version, the version renders in its place. If a version fails, the next one takes over; after the last, the
 * slot shows its plain markup with the visitor's input. Versions that could not be loaded are tried in further rounds: once
 * after some time, at each click in the slot, and whenever the browser is online again.
 *
 * Each slot decides independently, so a page can run two versions of a remote. A version that fails in one slot
 * may work in others, and replacing it there would lose the visitor's input. Versions share no globals and no
 * class names.
 *
 * @returns disposes of the slot
 */
export function fillSlot(target: SlotTarget, services: SlotServices): () => void {
  const disposal = new AbortController();
  void fill(createSlot(target, services, disposal.signal));
  return () => disposal.abort();
}

/**
 * Tries the versions in rounds. After the first one, a slot with versions to load again is `waiting`; after the second one it
 * is `failed`, but keeps trying. Pending while a version runs; resolves if no version is left to try.
 */
async function fill(slot: Slot): Promise<void> {
  const { element, disposal } = slot;
  let attempts = slot.loader.attempts(slot.remote, slot.exposed);
  const [first] = attempts;
  if (!first) {
    slot.enter('failed');
    return;
  }
  // Early, because the network is idle while the browser hydrates the slots with the timing `load`.
  // blind spot: equivalent but for the time of requests, which tests read.
  if (first.hydration === 'idle') first.preload();
  slot.enter('waiting');
  await hydrationTrigger(first.hydration, element);
  // blind spot: no step makes a version fail, but the tests of this file do.
  slot.markup.copy();
  const retries = createRetries(element);
  for (let round = 1; attempts.length > 0; round += 1) {
    // blind spot (1 → 2, → false, without await): no step makes a version fail, but the tests of this file do.
    if (round > 1) await retries.next();
    if (disposal.aborted) return;
    attempts = await runInTurn(slot, attempts);
    if (disposal.aborted) return;
    answerQueuedClicks(slot);
    // blind spot: no step makes a version fail, but the tests of this file do.
    slot.enter(round > 1 || attempts.length === 0 ? 'failed' : 'waiting');
  }
}

/**
 * Runs the versions, best first, each until it fails.
 *
 * @returns those that could not be loaded. Only these are worth another try: a version that threw would throw again.
 */
// blind spot: no step makes a version fail, but the tests of this file do.
async function runInTurn(slot: Slot, attempts: readonly LoadAttempt[]): Promise<readonly LoadAttempt[]> {
  const failedToLoad: LoadAttempt[] = [];
  for (const attempt of attempts) {
    if ((await runVersion(slot, attempt)) === 'load') failedToLoad.push(attempt);
    if (slot.disposal.aborted) break;
  }
  return failedToLoad;
}

/** Tells the visitor that a click had no effect. It is not replayed, because the visitor may have moved on. */
// blind spot: no step makes a version fail, but the tests of fill-slot do.
function answerQueuedClicks({ element, shell }: Slot): void {
  const clicks = queuedClicksIn(element);
  if (clicks.length === 0) return;
  forgetClicks(clicks);
  shell.get().notify(loadFailureToast);
}

/** Decides when further rounds start: at each click, whenever the browser is online again, and once after a delay. */
// blind spot: no step makes a version fail, but the tests of fill-slot do.
function createRetries(element: Element) {
  let automatic: Promise<'delay'> | undefined;
  let isDelayOver = false;
  return {
    /** Resolves when the next round is to start. A click does not cancel the automatic round. */
    async next(): Promise<void> {
      automatic ??= new Promise((resolve) => setTimeout(() => resolve('delay'), automaticRoundDelay));
      const waiting = new AbortController();
      const options = { once: true, signal: waiting.signal };
      const event = new Promise<'event'>((resolve) => {
        addEventListener('online', () => resolve('event'), options);
        element.addEventListener('click', () => resolve('event'), { ...options, capture: true });
      });
      const start = await Promise.race(isDelayOver ? [event] : [event, automatic]);
      waiting.abort();
      isDelayOver ||= start === 'delay';
    },
  };
}

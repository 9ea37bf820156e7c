import type { SlotProps } from '@countersign/contracts/shell-api';
import type { FailureCause } from '@countersign/contracts/telemetry';
import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react';
import type { Candidate } from '../federation/remote-loader.ts';
import { splashTimeLeft } from '../splash/splash.ts';
import { TimeLimitError, withTimeLimit } from './with-time-limit.ts';

/** How long after the splash a slot waits for a version before it tries the next, in milliseconds. */
export const slotTimeLimit = 1500;

/** How long a slot may still wait, in milliseconds: it need not be ready before the splash is over. */
export function timeToWait(): number {
  return splashTimeLeft() + slotTimeLimit;
}

/** What a slot shows: nothing yet, a version of the remote, or its fallback. */
export type SlotState =
  /** `late`: a version has taken all the time there was. What stands in for the remote has to be shown meanwhile. */
  | { readonly status: 'loading'; readonly late: boolean }
  | { readonly status: 'ready'; readonly version: string; readonly Component: ComponentType<SlotProps> }
  | { readonly status: 'failed' };

/** What the slot is told of the versions it tries. */
interface SlotVersionEvents {
  onLoaded(version: string, milliseconds: number): void;
  onFailed(version: string, cause: FailureCause, error: unknown): void;
}

export type GiveUp = (cause: FailureCause, error: unknown) => void;

/** One try of one version. Each try is an object of its own, so that a late error cannot end a later one. */
interface Attempt {
  /** Place of the version among the candidates. */
  readonly index: number;
  /** Where to begin again once the browser is online: none of the versions from here to `index` could be loaded. */
  readonly retryFrom: number;
  readonly late: boolean;
  /** It failed while the browser was offline, which is not the version's fault. */
  readonly offline: boolean;
}

const firstAttempt: Attempt = { index: 0, retryFrom: 0, late: false, offline: false };

function attemptAfter({ index, retryFrom, late }: Attempt, cause: FailureCause): Attempt {
  if (!navigator.onLine) return { index, retryFrom, late: true, offline: true };
  return {
    index: index + 1,
    retryFrom: cause === 'render' ? index + 1 : retryFrom,
    late: late || cause === 'timeout',
    offline: false,
  };
}

/**
 * Tries the versions in order; `giveUp` ends the attempt it was made for, once. What fails while the browser is offline
 * is tried again when it is online, also if no version is left.
 */
export function useSlotVersion(
  candidates: readonly Candidate[],
  { onLoaded, onFailed }: SlotVersionEvents,
): readonly [SlotState, giveUp: GiveUp] {
  const [attempt, setAttempt] = useState(firstAttempt);
  const latest = useRef(attempt);
  const [loaded, setLoaded] = useState<{ candidate: Candidate; Component: ComponentType<SlotProps> }>();
  const candidate = candidates[attempt.index];

  const giveUp = useCallback<GiveUp>(
    (cause, error) => {
      const proceed = (from: Attempt, to: Attempt) => {
        // React reports every error of a commit, and they all end the same attempt.
        if (latest.current !== from) return;
        latest.current = to;
        setAttempt(to);
      };
      if (latest.current !== attempt) return;
      const next = attemptAfter(attempt, cause);
      if (candidate && !next.offline) onFailed(candidate.version, cause, error);
      proceed(attempt, next);
      if (!next.offline && candidates[next.index]) return;
      const retry = () => proceed(next, { ...next, index: next.retryFrom, offline: false });
      addEventListener('online', retry, { once: true });
    },
    [attempt, candidate, candidates, onFailed],
  );

  useEffect(() => {
    if (!candidate || attempt.offline) return;
    let awaited = true;
    const asked = performance.now();
    withTimeLimit(candidate.load(), timeToWait()).then(
      (module) => {
        if (!awaited) return;
        onLoaded(candidate.version, performance.now() - asked);
        setLoaded({ candidate, Component: module.default });
      },
      (error: unknown) => {
        if (awaited) giveUp(error instanceof TimeLimitError ? 'timeout' : 'load', error);
      },
    );
    return () => {
      awaited = false;
    };
  }, [attempt, candidate, giveUp, onLoaded]);

  if (!candidate) return [{ status: 'failed' }, giveUp];
  if (attempt.offline || loaded?.candidate !== candidate) {
    return [{ status: 'loading', late: attempt.late }, giveUp];
  }
  return [{ status: 'ready', version: candidate.version, Component: loaded.Component }, giveUp];
}

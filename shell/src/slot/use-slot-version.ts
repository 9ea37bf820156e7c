import type { SlotProps } from '@countersign/contracts/shell-api';
import type { FailureCause } from '@countersign/contracts/telemetry';
import { useCallback, useEffect, useState, type ComponentType } from 'react';
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

/** Tries the versions in order; `giveUp` leaves the current one. */
export function useSlotVersion(
  candidates: readonly Candidate[],
  { onLoaded, onFailed }: SlotVersionEvents,
): readonly [SlotState, giveUp: GiveUp] {
  const [{ attempt, late }, setProgress] = useState({ attempt: 0, late: false });
  const [loaded, setLoaded] = useState<{ candidate: Candidate; Component: ComponentType<SlotProps> }>();
  const candidate = candidates[attempt];

  const giveUp = useCallback<GiveUp>(
    (cause, error) => {
      if (candidate) onFailed(candidate.version, cause, error);
      setProgress((before) => ({
        attempt: before.attempt + 1,
        late: before.late || cause === 'timeout',
      }));
    },
    [candidate, onFailed],
  );

  useEffect(() => {
    if (!candidate) return;
    let current = true;
    const asked = performance.now();
    withTimeLimit(candidate.load(), timeToWait()).then(
      (module) => {
        if (!current) return;
        onLoaded(candidate.version, performance.now() - asked);
        setLoaded({ candidate, Component: module.default });
      },
      (error: unknown) => {
        if (current) giveUp(error instanceof TimeLimitError ? 'timeout' : 'load', error);
      },
    );
    return () => {
      current = false;
    };
  }, [candidate, giveUp, onLoaded]);

  if (!candidate) return [{ status: 'failed' }, giveUp];
  if (loaded?.candidate !== candidate) return [{ status: 'loading', late }, giveUp];
  return [{ status: 'ready', version: candidate.version, Component: loaded.Component }, giveUp];
}

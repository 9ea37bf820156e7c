import type { SlotProps } from '@countersign/contracts/shell-api';
import { useCallback, useEffect, useState, type ComponentType } from 'react';
import type { Candidate } from '../federation/remote-loader.ts';
import { splashTimeLeft } from '../splash/splash.ts';
import { withTimeLimit } from './with-time-limit.ts';

/** How long after the splash a slot waits for a version before it tries the next, in milliseconds. */
export const slotTimeLimit = 1500;

/** What a slot shows: nothing yet, a version of the remote, or its fallback. */
export type SlotState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly version: string; readonly Component: ComponentType<SlotProps> }
  | { readonly status: 'failed' };

/** Tries the versions in order; `fail` gives up the current one. */
export function useSlotVersion(
  candidates: readonly Candidate[],
  onFailure: (version: string, error: unknown) => void,
): readonly [SlotState, fail: (error: unknown) => void] {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ candidate: Candidate; Component: ComponentType<SlotProps> }>();
  const candidate = candidates[attempt];

  const fail = useCallback(
    (error: unknown) => {
      if (candidate) onFailure(candidate.version, error);
      setAttempt((current) => current + 1);
    },
    [candidate, onFailure],
  );

  useEffect(() => {
    if (!candidate) return;
    let current = true;
    withTimeLimit(candidate.load(), splashTimeLeft() + slotTimeLimit).then(
      (module) => current && setLoaded({ candidate, Component: module.default }),
      (error: unknown) => current && fail(error),
    );
    return () => {
      current = false;
    };
  }, [candidate, fail]);

  if (!candidate) return [{ status: 'failed' }, fail];
  if (loaded?.candidate !== candidate) return [{ status: 'loading' }, fail];
  return [{ status: 'ready', version: candidate.version, Component: loaded.Component }, fail];
}

import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';

interface LoadFailure {
  /** Called if loading fails. Unmount the component then; the next mount loads again. */
  readonly onLoadFailure?: () => void;
}

/** A component whose code loads on demand. */
export interface OnDemand<Props> {
  /**
   * Loads the code ahead of its use, for example on hover or focus. Never rejects: a failure counts only when
   * the component renders.
   */
  prefetch(): Promise<void>;
  /**
   * Renders nothing until the code is loaded. If loading fails, the error is reported like an uncaught one and
   * `onLoadFailure` is called; without it, the nearest error boundary gets the error.
   */
  readonly Component: ComponentType<Props & LoadFailure>;
}

/**
 * Like `React.lazy`, with three differences: prefetched code renders in the same commit, a failed load is retried on
 * the next mount, and loaded code renders at once, whereas React delays content that replaces a Suspense fallback until
 * 300 ms after the fallback.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;

  function fetchCode(): Promise<ComponentType<Props>> {
    loading ??= load().then(
      (component) => (Loaded = component),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  function Component({ onLoadFailure, ...props }: Props & LoadFailure) {
    const [Shown, setShown] = useState(() => Loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    const fail = useEffectEvent((error: unknown) => {
      if (!onLoadFailure) {
        setFailure({ error });
        return;
      }
      reportError(error);
      onLoadFailure();
    });
    useEffect(() => {
      // One load attempt per mount.
      fetchCode().then(
        (component) => setShown(() => component),
        (error: unknown) => fail(error),
      );
    }, []);
    if (failure) throw failure.error;
    return Shown ? <Shown {...(props as unknown as Props)} /> : null;
  }

  return {
    prefetch: () =>
      fetchCode().then(
        () => undefined,
        () => undefined,
      ),
    Component,
  };
}

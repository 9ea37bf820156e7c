import { useEffect, useState, type ComponentType } from 'react';

/** A component whose code loads on demand. */
export interface OnDemand<Props> {
  /**
   * Loads the code ahead of its use, for example on hover or focus. Never rejects: a failure counts only when
   * the component renders.
   */
  prefetch(): Promise<void>;
  /** Renders nothing until the code is loaded. If loading fails, the nearest error boundary gets the error. */
  readonly Component: ComponentType<Props>;
}

/**
 * Like `React.lazy`, with three differences: prefetched code renders in the same commit, a failed load is retried on
 * the next mount, and loaded code renders at once. React delays content that replaces a Suspense fallback until 300 ms
 * after the fallback.
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

  function Component(props: Props) {
    const [Shown, setShown] = useState(() => Loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    useEffect(() => {
      // One load attempt per mount.
      fetchCode().then(
        (component) => setShown(() => component),
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure) throw failure.error;
    return Shown ? <Shown {...props} /> : null;
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

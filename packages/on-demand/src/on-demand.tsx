import { Suspense, use, useState, type ComponentType } from 'react';

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
 * Like `React.lazy`, with two differences: prefetched code renders in the same commit, and a failed load is
 * retried on the next mount.
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

  function WhenLoaded({
    code,
    props,
  }: {
    readonly code: Promise<ComponentType<Props>>;
    readonly props: Props;
  }) {
    const Shown = Loaded ?? use(code);
    return <Shown {...props} />;
  }

  function Component(props: Props) {
    // One load attempt per mount.
    const [code] = useState(fetchCode);
    return (
      <Suspense fallback={null}>
        <WhenLoaded code={code} props={props} />
      </Suspense>
    );
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

import { Suspense, use, useState, type ComponentType } from 'react';

/** A component whose code is not loaded with the part. */
export interface OnDemand<Props> {
  /**
   * Fetches the code. Call it as soon as the visitor seems to need it: the pointer is near, the focus has come. Never
   * rejects: a failure counts only once the code is needed.
   */
  prefetch(): Promise<void>;
  /** Shows nothing until the code is there. If the code cannot be loaded, the nearest error boundary is told. */
  readonly Component: ComponentType<Props>;
}

/**
 * Differs from `React.lazy` in two points: code that has been fetched is shown in the same commit, and code that could not be
 * fetched is asked for again the next time.
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
    // One attempt each time it is shown.
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

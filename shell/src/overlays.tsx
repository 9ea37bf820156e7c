// blind spot (onError, isLeaving, 'form, pointerdown, keydown, focusin, target, load, listen, true → false, stop, remove, unsubscribe, length): no step loses the connection, makes the shell fail, or waits for the application, but tests do, or it is equivalent.
import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import type { LoginNavigation } from './loading-overlay/login-navigation.ts';
import { LoadingOverlay } from './loading-overlay/loading-overlay.tsx';
import { RegionBoundary } from './recovery/region-boundary.tsx';
import type { ToastStore } from './toast/toast-store.ts';

interface OverlaysProps {
  readonly loginNavigation: LoginNavigation;
  readonly toasts: ToastStore;
  /** Called with errors in the shell's own components. */
  readonly onError: (error: unknown) => void;
}

/** Components of the shell that are shown above the page. */
export function Overlays({ loginNavigation, toasts, onError }: OverlaysProps) {
  const isLeaving = useSyncExternalStore(loginNavigation.subscribe, loginNavigation.isPending);
  return (
    <>
      <RegionBoundary onError={onError}>
        <LazyToastRegion store={toasts} onError={onError} />
      </RegionBoundary>
      <RegionBoundary onError={onError}>{isLeaving ? <LoadingOverlay /> : null}</RegionBoundary>
    </>
  );
}

/** Events that load the toast region: use of a form or dialog precedes most toasts. Visitors who only read never load it. */
const activationEvents = ['pointerdown', 'keydown', 'focusin'] as const;
const activationArea = 'form, [role="dialog"]';

interface ToastRegionProps {
  readonly store: ToastStore;
}

/**
 * Loads the toast region when a form is first used, so that toasts can show even if the browser is offline later, or with
 * the first toast. If that fails, the next use or toast loads it again.
 */
function LazyToastRegion({ store, onError }: ToastRegionProps & Pick<OverlaysProps, 'onError'>) {
  const [Region, setRegion] = useState<ComponentType<ToastRegionProps>>();
  useEffect(() => {
    let stop: () => void = () => undefined;
    const load = () => {
      stop();
      import('./toast/toast-region.tsx').then(
        ({ ToastRegion }) => setRegion(() => ToastRegion),
        (error: unknown) => {
          onError(error);
          listen();
        },
      );
    };
    const loadIfUsed = ({ target }: Event) => {
      if (target instanceof Element && target.closest(activationArea)) load();
    };
    const listen = () => {
      for (const type of activationEvents) addEventListener(type, loadIfUsed, { passive: true });
      const unsubscribe = store.subscribe(load);
      stop = () => {
        for (const type of activationEvents) removeEventListener(type, loadIfUsed);
        unsubscribe();
      };
    };
    listen();
    if (store.getToasts().length > 0) load();
    return () => stop();
  }, [store, onError]);
  return Region ? <Region store={store} /> : null;
}

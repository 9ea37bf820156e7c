import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import type { LoginNavigation } from './loading-overlay/login-navigation.ts';
import { LoadingOverlay } from './loading-overlay/loading-overlay.tsx';
import { OverrideBanner } from './override/override-banner.tsx';
import { RegionBoundary } from './recovery/region-boundary.tsx';
import type { ToastStore } from './toast/toast-store.ts';

interface OverlaysProps {
  readonly loginNavigation: LoginNavigation;
  readonly toasts: ToastStore;
  /** Called with errors in the shell's own components. */
  readonly onError: (error: unknown) => void;
  /** The override that is active in this tab, if any. */
  readonly override?: DeveloperOverride | undefined;
}

/** Components of the shell that are shown above the page. */
export function Overlays({ loginNavigation, toasts, onError, override }: OverlaysProps) {
  const isLeaving = useSyncExternalStore(loginNavigation.subscribe, loginNavigation.isPending);
  return (
    <>
      <RegionBoundary onError={onError}>
        <LazyToastRegion store={toasts} />
      </RegionBoundary>
      <RegionBoundary onError={onError}>
        {override ? <OverrideBanner override={override} /> : null}
      </RegionBoundary>
      <RegionBoundary onError={onError}>{isLeaving ? <LoadingOverlay /> : null}</RegionBoundary>
    </>
  );
}

const loadRegion = () => import('./toast/toast-region.tsx');
const ToastRegion = lazy(async () => ({ default: (await loadRegion()).ToastRegion }));

/** Events that precede any toast. A visitor who only reads the page does not load the region. */
const activationEvents = ['pointerdown', 'keydown', 'focusin'] as const;

/** Loads the toast region on the first interaction, so that toasts can show even if the browser is offline later. */
function LazyToastRegion({ store }: { readonly store: ToastStore }) {
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    const activate = () => setIsActive(true);
    for (const type of activationEvents) addEventListener(type, activate, { once: true, passive: true });
    const stop = store.subscribe(activate);
    if (store.getToasts().length > 0) activate();
    return () => {
      for (const type of activationEvents) removeEventListener(type, activate);
      stop();
    };
  }, [store]);
  return <Suspense fallback={null}>{isActive ? <ToastRegion store={store} /> : null}</Suspense>;
}

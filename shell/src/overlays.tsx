import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { useSyncExternalStore } from 'react';
import type { Departure } from './loading-overlay/departure.ts';
import { LoadingOverlay } from './loading-overlay/loading-overlay.tsx';
import { OverrideBanner } from './override/override-banner.tsx';
import { RegionBoundary } from './recovery/region-boundary.tsx';
import { LazyToastRegion } from './toast/lazy-toast-region.tsx';
import type { ToastStore } from './toast/toast-store.ts';

interface OverlaysProps {
  readonly departure: Departure;
  readonly toasts: ToastStore;
  /** Is told of errors of the shell's own. */
  readonly onError: (error: unknown) => void;
  /** What a developer looks at in this tab, in place of what is live. */
  readonly override?: DeveloperOverride | undefined;
}

/** What the shell itself shows, over the page. */
export function Overlays({ departure, toasts, onError, override }: OverlaysProps) {
  const departing = useSyncExternalStore(departure.subscribe, departure.isDeparting);
  return (
    <>
      <RegionBoundary onError={onError}>
        <LazyToastRegion store={toasts} />
      </RegionBoundary>
      <RegionBoundary onError={onError}>
        {override ? <OverrideBanner override={override} /> : null}
      </RegionBoundary>
      <RegionBoundary onError={onError}>{departing ? <LoadingOverlay /> : null}</RegionBoundary>
    </>
  );
}

import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { loginAddress } from '@countersign/contracts/shell-api';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { RemoteLoader } from './federation/remote-loader.ts';
import { LoadingOverlay } from './loading-overlay/loading-overlay.tsx';
import { useDeparture } from './loading-overlay/use-departure.ts';
import { OverrideBanner } from './override/override-banner.tsx';
import { LandingPage } from './page/landing-page.tsx';
import { useShellApi } from './page/use-shell-api.ts';
import { RegionBoundary } from './recovery/region-boundary.tsx';
import type { ReportPart } from './slot/part-event.ts';
import { NotFoundPage } from './routes/not-found-page.tsx';
import { ToastRegion } from './toast/toast-region.tsx';
import type { ToastStore } from './toast/toast-store.ts';

interface AppProps {
  /** Path of the document. A part that changes the address later does not change the page. */
  readonly path: string;
  readonly config: SiteConfig;
  readonly releaseId: string;
  readonly loader: RemoteLoader;
  readonly toasts: ToastStore;
  /** Is told what becomes of the parts. */
  readonly report: ReportPart;
  /** Is told of errors of the shell's own. */
  readonly onError: (error: unknown) => void;
  /** What a developer looks at in this tab, in place of what is live. */
  readonly override?: DeveloperOverride | undefined;
}

export function App({ path, config, releaseId, loader, toasts, report, onError, override }: AppProps) {
  const [departing, depart] = useDeparture(loginAddress(config));
  const shell = useShellApi({ config, releaseId, toasts, depart });
  return (
    <>
      {path === '/' ? (
        <LandingPage loader={loader} shell={shell} report={report} onError={onError} />
      ) : (
        <NotFoundPage />
      )}
      <RegionBoundary onError={onError}>
        <ToastRegion store={toasts} />
      </RegionBoundary>
      <RegionBoundary onError={onError}>
        {override ? <OverrideBanner override={override} /> : null}
      </RegionBoundary>
      <RegionBoundary onError={onError}>{departing ? <LoadingOverlay /> : null}</RegionBoundary>
    </>
  );
}

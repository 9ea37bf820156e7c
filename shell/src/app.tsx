import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { Route, Switch } from 'wouter';
import type { RemoteLoader } from './federation/remote-loader.ts';
import { LoadingOverlay } from './loading-overlay/loading-overlay.tsx';
import { useDeparture } from './loading-overlay/use-departure.ts';
import { OverrideBanner } from './override/override-banner.tsx';
import { LandingPage } from './page/landing-page.tsx';
import { useShellApi } from './page/use-shell-api.ts';
import type { ReportPart } from './slot/part-event.ts';
import { NotFoundPage } from './routes/not-found-page.tsx';
import { ToastRegion } from './toast/toast-region.tsx';
import type { ToastStore } from './toast/toast-store.ts';

interface AppProps {
  readonly config: SiteConfig;
  readonly releaseId: string;
  readonly loader: RemoteLoader;
  readonly toasts: ToastStore;
  /** Is told what becomes of the parts. */
  readonly report: ReportPart;
  /** What a developer looks at in this tab, in place of what is live. */
  readonly override?: DeveloperOverride | undefined;
}

export function App({ config, releaseId, loader, toasts, report, override }: AppProps) {
  const [departing, depart] = useDeparture();
  const shell = useShellApi({ config, releaseId, toasts, depart });
  return (
    <>
      <Switch>
        <Route path="/">
          <LandingPage loader={loader} shell={shell} report={report} />
        </Route>
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
      <ToastRegion store={toasts} />
      {override ? <OverrideBanner override={override} /> : null}
      {departing ? <LoadingOverlay /> : null}
    </>
  );
}

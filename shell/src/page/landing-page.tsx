import type { ShellApi } from '@countersign/contracts/shell-api';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { RegionBoundary } from '../recovery/region-boundary.tsx';
import type { SlotDefinition } from '../slot/slot-definition.ts';
import type { ReportPart } from '../slot/part-event.ts';
import { Slot } from '../slot/slot.tsx';
import { landingPageSlots } from './landing-page-slots.ts';
import styles from './landing-page.module.css';

interface LandingPageProps {
  readonly loader: RemoteLoader;
  readonly shell: ShellApi;
  readonly report: ReportPart;
  /** Is told of errors of a slot itself, or of its fallback. */
  readonly onError: (error: unknown) => void;
}

/** The page at `/`: nothing but its slots, in order. */
export function LandingPage({ loader, shell, report, onError }: LandingPageProps) {
  const show = (definition: SlotDefinition) => (
    <RegionBoundary key={`${definition.remote}${definition.exposed}`} onError={onError}>
      <Slot definition={definition} loader={loader} shell={shell} report={report} />
    </RegionBoundary>
  );
  return (
    <>
      <a className={styles.skipLink} href="#main">
        Skip to content
      </a>
      {landingPageSlots.header.map(show)}
      <main id="main" tabIndex={-1}>
        {landingPageSlots.main.map(show)}
      </main>
      {landingPageSlots.footer.map(show)}
    </>
  );
}

import type { ShellApi } from '@countersign/contracts/shell-api';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import type { SlotDefinition } from '../slot/slot-definition.ts';
import type { ReportPart } from '../slot/part-event.ts';
import { Slot } from '../slot/slot.tsx';
import { landingPageSlots } from './landing-page-slots.ts';
import styles from './landing-page.module.css';

interface LandingPageProps {
  readonly loader: RemoteLoader;
  readonly shell: ShellApi;
  readonly report: ReportPart;
}

/** The page at `/`: nothing but its slots, in order. */
export function LandingPage({ loader, shell, report }: LandingPageProps) {
  const show = (definition: SlotDefinition) => (
    <Slot
      key={`${definition.remote}${definition.exposed}`}
      definition={definition}
      loader={loader}
      shell={shell}
      report={report}
    />
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

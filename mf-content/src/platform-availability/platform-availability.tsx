import { ContentSection } from '../content-section.tsx';
import { PlatformDevice } from './platform-device.tsx';
import { platforms } from './platforms.ts';
import styles from './platform-availability.module.css';

export default function PlatformAvailability() {
  return (
    <ContentSection
      tone="sunken"
      content="beside"
      title="In every browser today, on your phone next"
      introduction="There is nothing to install: prepare, send and sign in the browser you already use. Phone apps are on the way."
    >
      <ul className={styles.list}>
        {platforms.map(({ name, status, device }) => (
          <li key={name} className={styles.platform} data-device={device}>
            <PlatformDevice device={device} />
            <h3 className={styles.name}>{name}</h3>
            <span className={styles.status} data-status={status}>
              {status}
            </span>
          </li>
        ))}
      </ul>
    </ContentSection>
  );
}

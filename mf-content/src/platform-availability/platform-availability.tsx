// blind spot (without tone, without data-status, without <Icon): cosmetic, how the section and its states look.
import { Icon } from '@countersign/icon';
import { Globe, Smartphone, type IconNode } from 'lucide';
import { ContentStrip } from '../content-strip.tsx';
import styles from './platform-availability.module.css';

interface Platform {
  readonly name: string;
  readonly status: 'Available Now' | 'Coming Soon';
  readonly icon: IconNode;
}

const platforms: readonly Platform[] = [
  { name: 'Web application', status: 'Available Now', icon: Globe },
  { name: 'iOS app', status: 'Coming Soon', icon: Smartphone },
  { name: 'Android app', status: 'Coming Soon', icon: Smartphone },
];

export default function PlatformAvailability() {
  return (
    <ContentStrip tone="sunken" title="In every browser today, on your phone next">
      <ul className={styles.list}>
        {platforms.map(({ name, status, icon }) => (
          <li key={name} className={styles.platform}>
            <Icon icon={icon} className={styles.icon} />
            <h3 className={styles.name}>{name}</h3>
            <span className={styles.status} data-status={status}>
              {status}
            </span>
          </li>
        ))}
      </ul>
    </ContentStrip>
  );
}

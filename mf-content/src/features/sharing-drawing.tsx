// blind spot: cosmetic, a drawing that assistive technology does not read.
import { Icon } from '@countersign/icon';
import { CalendarClock, Eye, KeyRound, Link2 } from 'lucide';
import styles from './sharing-drawing.module.css';

const settings = [
  { icon: KeyRound, name: 'Password', value: '••••••••' },
  { icon: CalendarClock, name: 'Expires', value: '30 June' },
  { icon: Eye, name: 'Viewed this week', value: '24 times' },
];

/** Bars of the chart. Their sum is "Viewed this week"; the highest is as high as the chart. */
const viewsOfDays = [2, 5, 1, 8, 4, 3, 1];

export function SharingDrawing() {
  return (
    <div className={styles.panel}>
      <div className={styles.link}>
        <Icon icon={Link2} className={styles.icon} />
        <span className={styles.address}>sign.example/s/7Qd2-kM9x</span>
        <span className={styles.copy}>Copy</span>
      </div>
      {settings.map(({ icon, name, value }) => (
        <div key={name} className={styles.setting}>
          <Icon icon={icon} className={styles.icon} />
          {name}
          <span className={styles.value}>{value}</span>
        </div>
      ))}
      <svg className={styles.views} viewBox="0 0 70 16" preserveAspectRatio="none" focusable="false">
        {viewsOfDays.map((views, day) => (
          <rect key={day} x={day * 10 + 0.5} y={16 - views * 2} width="9" height={views * 2} />
        ))}
      </svg>
    </div>
  );
}

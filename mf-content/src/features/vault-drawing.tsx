// blind spot: cosmetic, a drawing that assistive technology does not read.
import { Icon } from '@countersign/icon';
import { Eye, KeyRound } from 'lucide';
import styles from './vault-drawing.module.css';

function anglesOf(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => (index * 360) / count);
}

export function VaultDrawing() {
  return (
    <div className={styles.vault}>
      <svg className={styles.door} viewBox="-160 -160 320 320" focusable="false">
        <circle className={styles.frame} r="156" />
        {anglesOf(16).map((degrees) => (
          <circle key={degrees} className={styles.bolt} cy="-142" r="5" transform={`rotate(${degrees})`} />
        ))}
        <circle className={styles.leaf} r="126" />
        {anglesOf(72).map((degrees) => (
          <path key={degrees} className={styles.tick} d="M0-114v8" transform={`rotate(${degrees})`} />
        ))}
        <circle className={styles.dial} r="92" />
        <circle className={styles.wheel} r="62" />
        {anglesOf(6).map((degrees) => (
          <g key={degrees} transform={`rotate(${degrees})`}>
            <path className={styles.spoke} d="M0-22v-40" />
            <circle className={styles.knob} cy="-66" r="8" />
          </g>
        ))}
        <circle className={styles.hub} r="22" />
        <path className={styles.keyhole} d="M-4 9 -2 1a6 6 0 1 1 4 0l2 8Z" />
      </svg>
      <div className={styles.note}>
        <Icon icon={KeyRound} className={styles.icon} />
        Legal edits, Finance reads
      </div>
      <div className={styles.note}>
        <Icon icon={Eye} className={styles.icon} />
        Opened by Priya, 14:20
      </div>
    </div>
  );
}

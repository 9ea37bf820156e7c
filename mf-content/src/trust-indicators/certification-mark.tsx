import type { LucideIcon } from 'lucide-react';
import styles from './certification-mark.module.css';

interface CertificationMarkProps {
  readonly icon: LucideIcon;
  readonly lines: number;
}

/** A mark of our own, not an institution's: a ring in the manner of a deed's seal, around an icon. */
export function CertificationMark({ icon: Icon, lines }: CertificationMarkProps) {
  const turns = Array.from({ length: lines }, (_, index) => (index * 180) / lines);
  return (
    <span className={styles.mark} aria-hidden="true">
      <svg className={styles.ring} viewBox="-32 -32 64 64" focusable="false">
        {turns.map((degrees) => (
          <ellipse key={degrees} rx="31" ry="21" transform={`rotate(${degrees})`} />
        ))}
      </svg>
      <Icon className={styles.icon} />
    </span>
  );
}

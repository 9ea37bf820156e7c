// blind spot: cosmetic, a drawing, and no step hears whether assistive technology reads it.
import { Icon } from '@countersign/icon';
import type { IconNode } from 'lucide';
import styles from './certification-mark.module.css';

interface CertificationMarkProps {
  readonly icon: IconNode;
  readonly lines: number;
}

/** A decorative mark in the style of a seal: a ring of ellipses (`lines`) around an icon. Not a logo of the institution. */
export function CertificationMark({ icon, lines }: CertificationMarkProps) {
  const turns = Array.from({ length: lines }, (_, index) => (index * 180) / lines);
  return (
    <span className={styles.mark} aria-hidden="true">
      <svg className={styles.ring} viewBox="-32 -32 64 64" focusable="false">
        {turns.map((degrees) => (
          <ellipse key={degrees} rx="31" ry="21" transform={`rotate(${degrees})`} />
        ))}
      </svg>
      <Icon icon={icon} className={styles.icon} />
    </span>
  );
}

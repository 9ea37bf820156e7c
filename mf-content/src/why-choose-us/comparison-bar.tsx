// blind spot: cosmetic, a drawing, and no step hears whether assistive technology reads it.
import styles from './comparison-bar.module.css';

interface ComparisonBarProps {
  /** Length of the bar, from 0 to 1. */
  readonly share: number;
  readonly parts: number;
  readonly tone: 'muted' | 'accent' | 'success';
}

export function ComparisonBar({ share, parts, tone }: ComparisonBarProps) {
  const divisions = Array.from({ length: parts - 1 }, (_, index) => `${((index + 1) / parts) * 100}%`);
  return (
    <svg className={styles.bar} data-tone={tone} aria-hidden="true" focusable="false">
      <rect className={styles.track} width="100%" height="100%" />
      <rect className={styles.length} width={`${share * 100}%`} height="100%" />
      {divisions.map((at) => (
        <line key={at} className={styles.division} x1={at} x2={at} y2="100%" />
      ))}
    </svg>
  );
}

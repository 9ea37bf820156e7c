// blind spot (1 → 2, 'accent', 'muted', share, parts, tone, without <span, value /, position): cosmetic, bars.
import type { Measurement } from './benefits.ts';
import { ComparisonBar } from './comparison-bar.tsx';
import styles from './comparison.module.css';

interface ComparisonProps {
  readonly before: Measurement;
  readonly after: Measurement;
  /** Value of a full-length bar. */
  readonly scale: number;
  /** Number of equal divisions of the bars. */
  readonly parts?: number | undefined;
  readonly tone?: 'accent' | 'success';
}

/** Two values as text and as bars to scale. */
export function Comparison({ before, after, scale, parts = 1, tone = 'accent' }: ComparisonProps) {
  const rows = [
    { ...before, barTone: 'muted' as const },
    { ...after, barTone: tone },
  ];
  return (
    <dl className={styles.comparison}>
      {rows.map(({ label, text, value, barTone }) => (
        <div key={label} className={styles.row}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>
            {text}
            <span className={styles.bar}>
              <ComparisonBar share={value / scale} parts={parts} tone={barTone} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

import type { Measurement } from './benefits.ts';
import { ComparisonBar } from './comparison-bar.tsx';
import styles from './comparison.module.css';

interface ComparisonProps {
  readonly before: Measurement;
  readonly after: Measurement;
  /** The value that a bar of full length stands for. */
  readonly scale: number;
  /** Divides the bars into so many equal parts. */
  readonly parts?: number | undefined;
  readonly tone?: 'accent' | 'success';
}

/** Two values, said and drawn: the lengths of the bars are true to them. */
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

import { useId } from 'react';
import type { Interval } from './plans.ts';
import styles from './interval-toggle.module.css';

interface IntervalToggleProps {
  readonly planName: string;
  /** Months of a year that yearly billing saves. */
  readonly freeMonths: number;
  readonly interval: Interval;
  readonly onChange: (interval: Interval) => void;
}

const choices: readonly { readonly interval: Interval; readonly label: string }[] = [
  { interval: 'month', label: 'Monthly' },
  { interval: 'year', label: 'Yearly' },
];

export function IntervalToggle({ planName, freeMonths, interval, onChange }: IntervalToggleProps) {
  const groupName = useId();
  const savingId = useId();
  const isYearly = interval === 'year';
  return (
    <div className={styles.billing}>
      <div
        role="radiogroup"
        aria-label={`Billing interval of ${planName}`}
        aria-describedby={savingId}
        className={styles.toggle}
      >
        {choices.map((choice) => (
          <label key={choice.interval} className={styles.choice}>
            <input
              type="radio"
              name={groupName}
              className={styles.input}
              checked={choice.interval === interval}
              onChange={() => onChange(choice.interval)}
            />
            <span className={styles.label}>{choice.label}</span>
          </label>
        ))}
      </div>
      <p id={savingId} className={styles.saving} data-chosen={isYearly} aria-live="polite">
        {`${isYearly ? 'About' : 'Yearly: about'} ${freeMonths} months free`}
      </p>
    </div>
  );
}

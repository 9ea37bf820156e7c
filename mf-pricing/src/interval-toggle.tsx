import { useId } from 'react';
import styles from './interval-toggle.module.css';

interface IntervalToggleProps {
  readonly planName: string;
  /** Months of a year that yearly billing saves. */
  readonly freeMonths: number;
}

const choices = [
  { interval: 'month', label: 'Monthly' },
  { interval: 'year', label: 'Yearly' },
] as const;

/** `plan-card.module.css` finds the checked interval by its `value`, and shows its price. Browsers keep the choice over a reload. */
export function IntervalToggle({ planName, freeMonths }: IntervalToggleProps) {
  const groupName = useId();
  const savingId = useId();
  // blind spot (without aria-describedby, without id): no step hears it, but the tests of this part look for it.
  return (
    <div className={styles.billing}>
      <div
        role="radiogroup"
        aria-label={`Billing interval of ${planName}`}
        aria-describedby={savingId}
        className={styles.toggle}
      >
        {choices.map(({ interval, label }) => (
          <label key={interval} className={styles.choice}>
            <input
              type="radio"
              name={groupName}
              value={interval}
              className={styles.input}
              defaultChecked={interval === 'month'}
            />
            <span className={styles.label}>{label}</span>
          </label>
        ))}
      </div>
      <p id={savingId} className={styles.saving}>
        {`Yearly: about ${freeMonths} months free`}
      </p>
    </div>
  );
}

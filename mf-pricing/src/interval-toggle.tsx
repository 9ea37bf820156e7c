import { useId } from 'react';
import type { Interval } from './plans.ts';
import styles from './interval-toggle.module.css';

interface IntervalToggleProps {
  readonly planName: string;
  readonly interval: Interval;
  readonly onChange: (interval: Interval) => void;
}

const choices: readonly { readonly interval: Interval; readonly label: string }[] = [
  { interval: 'month', label: 'Monthly' },
  { interval: 'year', label: 'Yearly' },
];

export function IntervalToggle({ planName, interval, onChange }: IntervalToggleProps) {
  const groupName = useId();
  return (
    <div role="radiogroup" aria-label={`Billing interval of ${planName}`} className={styles.toggle}>
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
  );
}

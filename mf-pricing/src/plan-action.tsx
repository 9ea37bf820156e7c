import type { ReactNode } from 'react';
import styles from './plan-action.module.css';

interface PlanActionProps {
  readonly variant: 'primary' | 'secondary';
  /** Id of the plan's heading: several buttons of the section say the same. */
  readonly describedBy: string;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function PlanAction({ variant, describedBy, onChoose, children }: PlanActionProps) {
  return (
    <button
      type="button"
      className={styles.action}
      data-variant={variant}
      aria-describedby={describedBy}
      onClick={onChoose}
    >
      {children}
    </button>
  );
}

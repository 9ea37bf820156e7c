import type { LeadOutcome } from './lead-form-logic.tsx';
import styles from './lead-status.module.css';

interface LeadStatusProps {
  readonly outcome: LeadOutcome | undefined;
}

/** Says what became of a lead. Always in the page, because screen readers announce only what changes in a status. */
export function LeadStatus({ outcome }: LeadStatusProps) {
  return (
    <p role="status" className={outcome?.stored === false ? styles.failed : styles.status}>
      {outcome?.message}
    </p>
  );
}

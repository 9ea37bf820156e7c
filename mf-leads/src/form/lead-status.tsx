import type { LeadOutcome } from './lead-form-logic.tsx';
import styles from './lead-status.module.css';

/** Shows the outcome of a lead. Always mounted, because screen readers announce only changes of a live region. */
export function LeadStatus({ outcome }: { readonly outcome: LeadOutcome | undefined }) {
  // blind spot (stored, false): cosmetic, the colour.
  return (
    <p role="status" className={outcome?.stored === false ? styles.failed : styles.status}>
      {outcome?.message}
    </p>
  );
}

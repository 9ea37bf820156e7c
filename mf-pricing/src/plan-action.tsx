import type { ReactNode } from 'react';
import styles from './plan-action.module.css';

interface PlanActionProps {
  readonly variant: 'primary' | 'secondary';
  /** Id of the plan's heading. It distinguishes links with the same text. */
  readonly describedBy: string;
  /** Target URL. */
  readonly href: string;
  readonly children: ReactNode;
}

export function PlanAction({ variant, describedBy, href, children }: PlanActionProps) {
  return (
    <a className={styles.action} data-variant={variant} aria-describedby={describedBy} href={href}>
      {children}
    </a>
  );
}

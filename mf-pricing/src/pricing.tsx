import { loginAddress, type SlotProps } from '@countersign/contracts/shell-api';
import { useId } from 'react';
import { LimitsTable } from './limits-table.tsx';
import { PlanCard } from './plan-card.tsx';
import { directApiPlan, freePlan, paidPlans } from './plans.ts';
import styles from './pricing.module.css';

export default function Pricing({ shell }: SlotProps) {
  const headingId = useId();
  const login = loginAddress(shell.page);
  // blind spot (tabIndex, 1 → 2): equivalent, because the shell adds it.
  return (
    <section id="pricing" tabIndex={-1} className={styles.section} aria-labelledby={headingId}>
      <div className={styles.inner}>
        <header className={styles.header}>
          <h2 id={headingId} className={styles.heading}>
            Plans that grow with your paperwork
          </h2>
          <p className={styles.introduction}>
            Begin for free, or try any paid plan for 30 days without a credit card. Pay by the year, and
            twelve months cost about as much as ten.
          </p>
        </header>
        <div className={styles.paid}>
          {paidPlans.map((plan) => (
            <PlanCard key={plan.name} plan={plan} login={login} />
          ))}
        </div>
        <div className={styles.simple}>
          <PlanCard plan={freePlan} login={login} />
          <PlanCard plan={directApiPlan} login={login} />
        </div>
        <LimitsTable />
      </div>
    </section>
  );
}

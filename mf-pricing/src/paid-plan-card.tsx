import { useId } from 'react';
import { IntervalToggle } from './interval-toggle.tsx';
import { limits } from './limits.ts';
import { PlanAction } from './plan-action.tsx';
import { PlanDescription } from './plan-description.tsx';
import { PlanPrice } from './plan-price.tsx';
import { freeMonths, type PaidPlan } from './plans.ts';
import styles from './paid-plan-card.module.css';

interface PaidPlanCardProps {
  readonly plan: PaidPlan;
  /** URL of the login page, because plans are bought in the application. */
  readonly login: string;
}

const limitsOnCard = limits.filter((limit) => limit.onCard);

/** A paid plan. Each card has its own interval, so that visitors can compare two intervals. */
export function PaidPlanCard({ plan, login }: PaidPlanCardProps) {
  const headingId = useId();
  const { month, year } = plan.offers;
  return (
    <article className={styles.card} aria-labelledby={headingId} data-featured={Boolean(plan.badge)}>
      <h3 id={headingId} className={styles.name}>
        {plan.name}
      </h3>
      {plan.badge ? <p className={styles.badge}>{plan.badge}</p> : null}
      <div className={styles.offer}>
        <div aria-live="polite" aria-atomic="true">
          <div className={styles.monthly}>
            <PlanPrice plan={month} stacked />
          </div>
          <div className={styles.yearly}>
            <PlanPrice plan={year} stacked />
          </div>
        </div>
        <IntervalToggle planName={plan.name} freeMonths={freeMonths(plan)} />
      </div>
      <PlanAction variant={plan.badge ? 'primary' : 'secondary'} describedBy={headingId} href={login}>
        Start Free Trial
      </PlanAction>
      <div className={styles.description}>
        <PlanDescription items={month.description} />
      </div>
      <dl className={styles.limits}>
        {limitsOnCard.map(({ label, values }) => (
          <div key={label} className={styles.limit}>
            <dt className={styles.label}>{label}</dt>
            <dd className={styles.value}>{values[plan.name]}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

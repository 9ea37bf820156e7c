import { useId } from 'react';
import { PlanAction } from './plan-action.tsx';
import { PlanDescription } from './plan-description.tsx';
import { PlanPrice } from './plan-price.tsx';
import type { PricingPlan } from './plans.ts';
import styles from './simple-plan-card.module.css';

interface SimplePlanCardProps {
  readonly plan: PricingPlan;
  /** Text of the link. */
  readonly action: string;
  /** URL of the login page, because plans are bought in the application. */
  readonly login: string;
}

/** A plan without a choice of interval. */
export function SimplePlanCard({ plan, action, login }: SimplePlanCardProps) {
  const headingId = useId();
  return (
    <article className={styles.card} aria-labelledby={headingId}>
      <h3 id={headingId} className={styles.name}>
        {plan.name}
      </h3>
      <div className={styles.price}>
        <PlanPrice plan={plan} />
      </div>
      <div className={styles.description}>
        <PlanDescription items={plan.description} />
      </div>
      <div className={styles.action}>
        <PlanAction variant="secondary" describedBy={headingId} href={login}>
          {action}
        </PlanAction>
      </div>
    </article>
  );
}

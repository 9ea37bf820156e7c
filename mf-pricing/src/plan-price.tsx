import type { PricingPlan } from './plans.ts';
import styles from './plan-price.module.css';

interface PlanPriceProps {
  readonly plan: PricingPlan;
  /** Whether the price can change. New prices are then announced, in a space of fixed height. */
  readonly changing?: boolean;
}

const symbols = { USD: '$' } as const;
const intervals = { month: 'per month', year: 'per year' } as const;

export function PlanPrice({ plan, changing = false }: PlanPriceProps) {
  const { price, currency, interval } = plan;
  if (!currency || !interval) return <p className={styles.words}>{price}</p>;
  return (
    <p
      className={styles.price}
      data-changing={changing}
      aria-live={changing ? 'polite' : 'off'}
      aria-atomic="true"
    >
      <span className={styles.amount}>
        {symbols[currency]}
        {price}
      </span>{' '}
      <span className={styles.terms}>
        {currency} {intervals[interval]}
      </span>
    </p>
  );
}

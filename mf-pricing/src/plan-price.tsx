import type { PricingPlan } from './plans.ts';
import styles from './plan-price.module.css';

interface PlanPriceProps {
  readonly plan: PricingPlan;
  /** Whether the terms have a line of their own, so that prices of any length take the same height. */
  readonly stacked?: boolean;
}

const symbols = { USD: '$' } as const;
const intervals = { month: 'per month', year: 'per year' } as const;

export function PlanPrice({ plan, stacked = false }: PlanPriceProps) {
  const { price, currency, interval } = plan;
  if (!currency || !interval) return <p className={styles.words}>{price}</p>;
  return (
    <p className={styles.price} data-stacked={stacked}>
      <span className={styles.amount}>{`${symbols[currency]}${price}`}</span>{' '}
      <span className={styles.terms}>{`${currency} ${intervals[interval]}`}</span>
    </p>
  );
}

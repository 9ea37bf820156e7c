export type Interval = 'month' | 'year';

/** One purchasable option. A plan with monthly and yearly billing has two. */
export interface PricingPlan {
  /** Product id at the payment provider, if it is known. */
  readonly productId?: string;
  readonly name: string;
  /** A decimal number, or a text instead of a price. */
  readonly price: string;
  /** Absent, like the interval, if the price is not a number. */
  readonly currency?: 'USD';
  readonly interval?: Interval;
  readonly description: readonly string[];
}

export type PaidPlanName = 'Powered User' | 'Team Leader' | 'Enterprise';

/** A plan with monthly and yearly price. */
export interface PaidPlan {
  readonly name: PaidPlanName;
  readonly badge?: string;
  readonly offers: Readonly<Record<Interval, PricingPlan>>;
}

function paidPlan(
  name: PaidPlanName,
  description: string,
  prices: Readonly<Record<Interval, string>>,
): PaidPlan {
  const plan = { name, description: [description], currency: 'USD' } as const;
  return {
    name,
    offers: {
      month: { ...plan, price: prices.month, interval: 'month' },
      year: { ...plan, price: prices.year, interval: 'year' },
    },
  };
}

export const paidPlans: readonly PaidPlan[] = [
  paidPlan('Powered User', 'Everything in Free +', { month: '5.99', year: '60.99' }),
  {
    ...paidPlan('Team Leader', 'Everything in Powered User +', { month: '12.99', year: '129.99' }),
    badge: 'Most Popular',
  },
  paidPlan('Enterprise', 'Everything unlimited', { month: '29.99', year: '299.99' }),
];

/** Months of a year that yearly billing saves compared with monthly billing, rounded. */
export function freeMonths({ offers: { month, year } }: PaidPlan): number {
  return Math.round(12 - Number(year.price) / Number(month.price));
}

export const freePlan: PricingPlan = {
  productId: 'doc_free',
  name: 'Free',
  price: '0',
  currency: 'USD',
  interval: 'month',
  description: ['Personal document collections'],
};

export const directApiPlan: PricingPlan = {
  name: 'Direct API',
  price: 'Contact Support',
  description: ['Direct API access'],
};

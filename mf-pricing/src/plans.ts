/** One purchasable option of a plan. */
export interface Offer {
  /** Product id at the payment provider, if it is known. */
  readonly productId?: string;
  /** A decimal number, or a text instead of a price. */
  readonly price: string;
  /** Absent, like the interval, if the price is not a number. */
  readonly currency?: 'USD';
  readonly interval?: 'month' | 'year';
}

export interface Plan {
  readonly name: string;
  /** Only the featured plan has one. The stylesheets know it by `data-featured`. */
  readonly badge?: string;
  readonly description: readonly string[];
  /** Text of the link. */
  readonly action: string;
  /** Paid plans have one for each interval. */
  readonly offers: readonly [offer: Offer, yearly?: Offer];
}

function paidPlan(name: string, description: string, month: string, year: string): Plan {
  return {
    name,
    description: [description],
    action: 'Start Free Trial',
    offers: [
      { price: month, currency: 'USD', interval: 'month' },
      { price: year, currency: 'USD', interval: 'year' },
    ],
  };
}

export const paidPlans: readonly Plan[] = [
  paidPlan('Powered User', 'Everything in Free +', '5.99', '60.99'),
  { ...paidPlan('Team Leader', 'Everything in Powered User +', '12.99', '129.99'), badge: 'Most Popular' },
  paidPlan('Enterprise', 'Everything unlimited', '29.99', '299.99'),
];

export const freePlan: Plan = {
  name: 'Free',
  description: ['Personal document collections'],
  action: 'Get Free',
  // blind spot ('doc_free'): equivalent, because the page does not use it.
  offers: [{ productId: 'doc_free', price: '0', currency: 'USD', interval: 'month' }],
};

export const directApiPlan: Plan = {
  name: 'Direct API',
  description: ['Direct API access'],
  action: 'Contact Support',
  offers: [{ price: 'Contact Support' }],
};

/** Months of a year that yearly billing saves compared with monthly billing, rounded. */
export function freeMonths(monthly: Offer, yearly: Offer): number {
  return Math.round(12 - Number(yearly.price) / Number(monthly.price));
}

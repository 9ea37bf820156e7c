import { freeMonths, freePlan, paidPlans } from './plans.ts';

test('the application knows the free plan as doc_free', () => {
  expect(freePlan.offers[0].productId).toBe('doc_free');
});

test('no paid plan claims a product id that the payment provider has not assigned', () => {
  const offers = paidPlans.flatMap((plan) => plan.offers);
  expect(offers).toHaveLength(6);
  for (const offer of offers) expect(offer).not.toHaveProperty('productId');
});

test.each([
  { month: '10.00', year: '100.00', saved: 2 },
  { month: '10.00', year: '88.00', saved: 3 },
  { month: '10.00', year: '120.00', saved: 0 },
])('free months: a year for $year at $month a month saves $saved', ({ month, year, saved }) => {
  expect(freeMonths({ price: month }, { price: year })).toBe(saved);
});

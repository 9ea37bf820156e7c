import { freePlan, paidPlans } from './plans.ts';

test('the application knows the free plan as doc_free', () => {
  expect(freePlan.productId).toBe('doc_free');
});

test('no paid plan claims a product id that the payment provider has not assigned', () => {
  const offers = paidPlans.flatMap((plan) => Object.values(plan.offers));
  expect(offers).toHaveLength(6);
  for (const offer of offers) expect(offer).not.toHaveProperty('productId');
});

import { expectClaims, expectComparison, expectSections } from '../expect-claims.ts';
import { test } from '../page-test.ts';

test('the sections stand in their order, each once and under its anchor', async ({ openSite }) => {
  await expectSections(await openSite());
});

test('the claims of the page are where the specification puts them', async ({ openSite }) => {
  await expectClaims(await openSite());
});

test('Why Choose Us compares with its figures', async ({ openSite }) => {
  await expectComparison(await openSite());
});

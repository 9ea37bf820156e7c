import { expectClaims, expectComparison, expectSections } from '../checks/expect-claims.ts';
import { test } from '../site/page-test.ts';

test('sections: in order, each once and with its anchor', async ({ openSite }) => {
  await expectSections(await openSite());
});

test('sections: the claims of the specification are in their sections', async ({ openSite }) => {
  await expectClaims(await openSite());
});

test('Why Choose Us: compares the specified figures', async ({ openSite }) => {
  await expectComparison(await openSite());
});

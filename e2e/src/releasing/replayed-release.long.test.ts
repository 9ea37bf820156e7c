import { releaseDocumentElementId } from '@countersign/contracts/data-blocks';
import type { Page } from '@playwright/test';
import { expectShown } from '../checks/expect-whole-page.ts';
import { expect, pricingVersions, test } from './release-test.ts';

async function releaseOf(page: Page): Promise<unknown> {
  const document = JSON.parse(await page.locator(`#${releaseDocumentElementId}`).innerHTML()) as object;
  return Reflect.get(document, 'releaseId');
}

test('?release=: shows the page of that release after two more releases', async ({
  page,
  released: { release, url },
}) => {
  const { good, better } = pricingVersions;
  const first = await release.promote('mf-pricing', good);
  const asItWas = await (await page.request.get(url)).text();
  expect(asItWas).toContain(first);

  await release.promote('mf-pricing', better);
  await release.canary('mf-pricing', good, 100);
  const replay = `${url}/?release=${first}`;
  expect(await (await page.request.get(replay)).text()).toBe(asItWas);

  await page.goto(replay);
  await expectShown(page, 'mf-pricing', good);
  expect(await releaseOf(page)).toBe(first);
  await page.goto(url);
  expect(await releaseOf(page)).not.toBe(first);
});

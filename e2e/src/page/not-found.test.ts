import { onceOnDesktop, expect, test } from '../site/page-test.ts';

test.use({ expectedReports: ['status of 404'] });

test('404 page: has status 404 and loads no remote', onceOnDesktop, async ({ openSite, page }) => {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const answered = page.waitForResponse('**/no/such/page');
  await openSite('/no/such/page');
  expect((await answered).status()).toBe(404);

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  expect(paths).toContainEqual(expect.stringMatching(/^\/shell\//));
  expect(paths.filter((path) => path.startsWith('/mf-'))).toEqual([]);

  await page.getByRole('link', { name: 'Back to Countersign' }).click();
  await expect(page.getByRole('banner')).toBeVisible();
});

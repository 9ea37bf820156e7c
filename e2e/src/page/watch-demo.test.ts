import { expectHydrated } from '../checks/expect-whole-page.ts';
import { expect, test } from '../site/page-test.ts';

test('Watch Demo: writes to the console, and does nothing else', async ({ openSite, page }) => {
  await openSite();
  // Waits for the code of the part.
  await expectHydrated(page, 'mf-content');
  const said: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('request', (request) => requests.push(request.url()));
  const before = await page.locator('body').innerHTML();

  await page.getByRole('button', { name: 'Watch Demo' }).click();
  expect(said).toEqual(['log: Watch Demo']);
  expect(await page.locator('body').innerHTML()).toBe(before);
  expect(page.context().pages()).toHaveLength(1);
  expect(new URL(page.url()).hash).toBe('');
  expect(requests).toEqual([]);
});

import { remoteNames } from '@countersign/contracts/remotes';
import { expectHydrated } from '../checks/expect-whole-page.ts';
import { expect, test } from '../site/site-test.ts';
import { slotOf, slotsOf } from '../driver/landing-page.ts';

test('assembled page: React and React DOM load once, and no file loads twice', async ({ page, openSite }) => {
  const scripts = new Map<string, string>();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), await response.text());
  });
  await openSite();
  // `expectHydrated` uses every slot, so mf-content loads its code as well, which it does only when it is used.
  for (const remote of remoteNames) await expectHydrated(page, remote);

  // The remotes that load early share one script, `/entries.<hash>.js`. mf-content and the shell have theirs in their own folders.
  const places = new Set([...scripts.keys()].map((url) => new URL(url).pathname.split('/')[1]));
  expect([...places].sort()).toEqual([expect.stringMatching(/^entries\./), 'mf-content', 'shell']);

  // Each production build of the two libraries names this address in its error messages, and nothing else does.
  const carriers = [...scripts].filter(([, text]) => text.includes('react.dev/errors')).map(([url]) => url);
  expect(carriers).toHaveLength(1);
  expect(carriers[0]).toContain('/shell/');
  expect(addresses.filter((url, index) => addresses.indexOf(url) !== index)).toEqual([]);
});

test('assembled page: static content loads no code before it is used', async ({ page, openSite }) => {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await openSite();
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  // A slot has `data-version` while code runs in it.
  await expect(slotsOf(page, 'mf-leads')).toHaveAttribute('data-version', /./);
  expect(paths.filter((path) => path.startsWith('/mf-content/'))).toEqual([]);

  await page.getByRole('button', { name: 'Watch Demo' }).hover();
  expect(paths.filter((path) => path.startsWith('/mf-content/'))).toEqual([]);
  await page.getByRole('button', { name: 'Watch Demo' }).click();
  await expect(slotOf(page, './hero')).toHaveAttribute('data-version', /./);
  await expect(page.locator('[data-remote="mf-content"][data-version]')).toHaveCount(1);
});

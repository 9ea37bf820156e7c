import { remoteNames } from '@countersign/contracts/remotes';
import { expectHydrated } from './faults/expect-whole-page.ts';
import { expect, test } from './site-test.ts';

test('a visitor sees one page, made of four separately built remotes', async ({ openSite }) => {
  const page = await openSite();

  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toContainText('2024');
  for (const remote of remoteNames) {
    await expectHydrated(page, remote);
  }
});

test('nothing is reported to the console on the way', async ({ page, openSite }) => {
  const messages: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(error.message));
  await openSite();
  for (const remote of remoteNames) await expectHydrated(page, remote);
  expect(messages).toEqual([]);
});

test('React and React DOM are loaded once, and no file is fetched twice', async ({ page, openSite }) => {
  const scripts = new Map<string, string>();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), await response.text());
  });
  await openSite();
  for (const remote of remoteNames) await expectHydrated(page, remote);

  const parts = new Set([...scripts.keys()].map((url) => new URL(url).pathname.split('/')[1]));
  expect([...parts].sort()).toEqual([...remoteNames, 'shell'].sort());

  // Each production build of the two libraries names this address in its error messages, and nothing else does.
  const carriers = [...scripts].filter(([, text]) => text.includes('react.dev/errors')).map(([url]) => url);
  expect(carriers).toHaveLength(1);
  expect(carriers[0]).toContain('/shell/');
  expect(addresses.filter((url, index) => addresses.indexOf(url) !== index)).toEqual([]);
});

test('what visitors only read loads no code before they use it', async ({ page, openSite }) => {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await openSite();
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-remote="mf-leads"]')).toHaveAttribute('data-version', /./);
  expect(paths.filter((path) => path.startsWith('/mf-content/'))).toEqual([]);

  await page.getByRole('button', { name: 'Watch Demo' }).hover();
  expect(paths.filter((path) => path.startsWith('/mf-content/'))).toEqual([]);
  await page.getByRole('button', { name: 'Watch Demo' }).click();
  await expect(page.locator('[data-exposed="./hero"]')).toHaveAttribute('data-version', /./);
  await expect(page.locator('[data-remote="mf-content"][data-version]')).toHaveCount(1);
});

test('navigation scrolls to the section and keeps it in the address', async ({ openSite }) => {
  const page = await openSite();
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
  await expect(page.locator('#pricing')).toBeInViewport();
  await expect(page).toHaveURL(/#pricing$/);
});

test('the theme that a visitor chooses is applied, and is still there after a reload', async ({
  openSite,
}) => {
  const page = await openSite();
  await page.getByRole('button', { name: /theme/i }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('sign in leads to the application', async ({ page, openSite }) => {
  await page.route('https://app.countersign.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>The application</h1>' }),
  );
  await openSite();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(page).toHaveURL('https://app.countersign.example/login');
});

test('an unknown path gets the 404 page with status 404', async ({ page, site }) => {
  const response = await page.goto(`${site.url}/no/such/page`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
});

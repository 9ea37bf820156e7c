import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { fieldOf, fillIn, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { expect, test } from '../site/site-test.ts';
import { startDevelopmentServer } from '../site/development-server.ts';

const heading = 'Have your first document signed today';
const frameOf = (page: Page, theme: string, width: number) =>
  page.frameLocator(`iframe[title="./call-to-action, ${theme}, ${width} px"]`);
const frames = (page: Page) =>
  ['light', 'dark'].flatMap((theme) => [390, 820, 1280].map((width) => frameOf(page, theme, width)));

/** Brings every frame near the window, because only then it loads. */
async function showAllFrames(page: Page): Promise<void> {
  for (const frame of await page.locator('iframe').all()) {
    await frame.scrollIntoViewIfNeeded();
    await expect(frame.contentFrame().getByRole('heading', { name: heading })).toBeVisible();
  }
}

test('gallery: a component in two themes and three widths, with calls and changes', async ({ page }) => {
  await using server = await startDevelopmentServer('mf-leads', '--alone');
  await page.goto(server.url);
  await showAllFrames(page);
  await expect(page.locator('iframe')).toHaveCount(6);
  const phone = frameOf(page, 'light', 390);
  await expect(frameOf(page, 'dark', 1280).locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(() => phone.locator('body').evaluate(() => innerWidth)).toBe(390);

  await test.step('calls of the page', async () => {
    const calls = page.getByRole('log', { name: 'Calls of ShellApi' }).getByRole('listitem');
    const form = phone.getByRole('form');
    await fillIn(form, rightEntries);
    await sendButton(form).click();
    await expect(calls.filter({ hasText: 'notify(' })).toContainText('./call-to-action, light, 390 px');
    expect(server.lines.join('\n')).toContain('/api/contact: the form was not sent to the site');
  });
  await test.step('links and forms that would replace the component', async () => {
    await phone.locator('body').evaluate((body) => {
      const form = document.createElement('form');
      form.action = '/search';
      form.append(Object.assign(document.createElement('button'), { textContent: 'Search' }));
      body.append(form, Object.assign(document.createElement('a'), { href: '/', textContent: 'Home' }));
    });
    await phone.getByRole('button', { name: 'Search' }).click();
    await phone.getByRole('link', { name: 'Home' }).click();
    const calls = page.getByRole('log', { name: 'Calls of ShellApi' });
    await expect(calls).toContainText('form("get", "/search")');
    await expect(calls).toContainText(`link("${new URL('/', server.url)}")`);
    await expect(phone.getByRole('heading', { name: heading })).toBeVisible();
  });
  await test.step('content that is higher than its window', async () => {
    await phone.locator('body').evaluate((body) => {
      body.append(Object.assign(document.createElement('div'), { style: 'height: calc(100vh + 400px)' }));
    });
    await expect.poll(() => phone.locator('body').evaluate(() => innerHeight)).toBe(5000);
    await phone.locator('body').evaluate((body) => body.lastElementChild?.remove());
  });
  await test.step('a saved change in every frame, without losing its state', async () => {
    const name = fieldOf(frameOf(page, 'dark', 820).getByRole('form'), 'Name');
    await name.fill('Ada');
    await server.edit('call-to-action.tsx', heading, 'Sign today');
    for (const frame of frames(page))
      await expect(frame.getByRole('heading', { name: 'Sign today' })).toBeVisible();
    await expect(name).toHaveValue('Ada');
  });
  await test.step('a frame in a tab of its own', async () => {
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Open in a tab' }).first().click();
    const tab = await opening;
    await expect(tab.getByRole('heading', { name: 'Sign today' })).toBeVisible();
  });
  // The components have tests of their own.
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
});

test('gallery: a failed build is corrected without a reload by hand', async ({ page }) => {
  await using server = await startDevelopmentServer('mf-pricing', '--alone');
  await server.edit('pricing.tsx', 'const headingId =', 'const const headingId =');
  await expect.poll(() => server.lines.join('\n')).toContain('mf-pricing has errors');
  await page.goto(server.url);
  await server.edit('pricing.tsx', 'const const headingId =', 'const headingId =');
  const frame = page.frameLocator('iframe').first();
  await expect(frame.getByRole('heading', { name: 'Plans that grow with your paperwork' })).toBeVisible();
  // A handler that passes its event to the page, as `onClick={shell.signIn}` does.
  await server.edit('pricing.tsx', 'id={headingId}', 'id={headingId} onClick={shell.signIn}');
  await expect(async () => {
    await frame.getByRole('heading', { name: 'Plans that grow with your paperwork' }).click();
    await expect(page.getByRole('log')).toContainText('signIn([object Object])', { timeout: 1000 });
  }).toPass();
  const repair = await server.breakRendering('No heading');
  await expect(frame.getByRole('alert')).toContainText('No heading');
  await repair();
  await expect(frame.getByRole('heading', { name: 'Plans that grow with your paperwork' })).toBeVisible();
});

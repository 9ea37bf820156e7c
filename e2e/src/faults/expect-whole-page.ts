import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { expect, type Page } from '@playwright/test';

/** What the slots of a remote show, from top to bottom: a version, or `fallback`. */
export async function shownVersions(page: Page, remote: RemoteName): Promise<readonly (string | null)[]> {
  return page
    .locator(`[data-remote="${remote}"]`)
    .evaluateAll((slots) => slots.map((slot) => slot.getAttribute('data-version')));
}

/** Waits until every slot of a remote shows this version, or `fallback`. */
export async function expectShown(page: Page, remote: RemoteName, version: string): Promise<void> {
  await expect.poll(async () => [...new Set(await shownVersions(page, remote))]).toEqual([version]);
}

/**
 * The page stands although a remote is broken: every slot shows something, the other remotes are as they were released
 * and work, and nothing ran or was applied that nobody vouches for.
 */
export async function expectWholePage(page: Page, broken: RemoteName): Promise<void> {
  for (const remote of remoteNames.filter((name) => name !== broken)) {
    for (const version of await shownVersions(page, remote)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
  }
  const heights = await page
    .locator('[data-remote]')
    .evaluateAll((slots) =>
      slots.map((slot) =>
        Math.max(0, ...[...slot.children].map((child) => child.getBoundingClientRect().height)),
      ),
    );
  expect(heights).toHaveLength(12);
  expect(heights.filter((height) => height < 20)).toEqual([]);
  await expectNothingTampered(page);

  if (broken !== 'mf-pricing') await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
  if (broken !== 'mf-content') await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  if (broken !== 'mf-leads') {
    await page.getByRole('button', { name: /^(Send|Submit)/ }).click();
    await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
  }
  if (broken !== 'mf-header') {
    // Where a fixture stands in for the part, it has no section to lead to.
    const [link, section] = broken === 'mf-leads' ? ['Pricing', 'pricing'] : ['Contact', 'contact'];
    await page.getByRole('banner').getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(new RegExp(`#${section}$`));
  }
}

export async function expectNothingTampered(page: Page): Promise<void> {
  const signs = await page.evaluate(() => ({
    script: Boolean(Reflect.get(globalThis, 'tampered')),
    style: getComputedStyle(document.documentElement).getPropertyValue('--tampered') === '1',
  }));
  expect(signs).toEqual({ script: false, style: false });
}

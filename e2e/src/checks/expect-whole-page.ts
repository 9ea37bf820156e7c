import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { slotMarkers } from '@countersign/contracts/page-markup';
import { expect, type Locator, type Page } from '@playwright/test';
import { builtFolder } from '../site/running-site.ts';
import { slotsOf } from '../driver/landing-page.ts';

/** Number of slots of the landing page, as the shell was built. */
export const slotCount = [
  ...readFileSync(join(builtFolder('shell'), documentTemplateFile), 'utf8').matchAll(slotMarkers),
].length;

/** Version whose code runs in each slot of a remote, from top to bottom. `null` without code. */
export async function shownVersions(page: Page, remote: RemoteName): Promise<readonly (string | null)[]> {
  return slotsOf(page, remote).evaluateAll((slots) => slots.map((slot) => slot.getAttribute('data-version')));
}

/** Presses in every slot of a remote, because some load their code only then. */
export async function touchSlots(page: Page, remote: RemoteName): Promise<void> {
  await page
    .locator(`[data-remote="${remote}"] > :first-child`)
    .evaluateAll((elements) =>
      elements.forEach((element) =>
        element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })),
      ),
    );
}

/** Uses every slot of a remote and waits until the code of this version runs in all of them. */
export async function expectShown(page: Page, remote: RemoteName, version: string): Promise<void> {
  const shown = async () => {
    await touchSlots(page, remote);
    return [...new Set(await shownVersions(page, remote))];
  };
  await expect.poll(shown, { message: `versions of ${remote}` }).toEqual([version]);
}

/** Uses every slot of a remote and waits until its code runs in all of them. */
export async function expectHydrated(page: Page, remote: RemoteName): Promise<void> {
  const waiting = async () => {
    await touchSlots(page, remote);
    return (await shownVersions(page, remote)).filter((version) => !/^\d+\.\d+\.\d+/.test(version ?? ''));
  };
  await expect.poll(waiting, { message: `slots of ${remote} without code` }).toEqual([]);
}

/** Expects the server's markup in every slot of a remote, without code. */
export async function expectMarkup(page: Page, remote: RemoteName): Promise<void> {
  const served = await (await page.request.get(page.url())).text();
  const slots = slotsOf(page, remote);
  const shown = await slots.evaluateAll((elements) =>
    elements.map((element) => ({ version: element.getAttribute('data-version'), markup: element.innerHTML })),
  );
  expect(shown.map(({ version }) => version)).toEqual(shown.map(() => null));
  for (const { markup } of shown) {
    expect(markup).not.toBe('');
    expect(served).toContain(`>${markup}</div>`);
  }
  expect(await emptySlots(slots)).toEqual([]);
}

/** Heights of the slots that look empty, in CSS pixels. A slot itself has no box. */
export async function emptySlots(slots: Locator): Promise<readonly number[]> {
  const heights = await slots.evaluateAll((elements) =>
    elements.map(({ children }) =>
      Math.max(0, ...[...children].map((child) => child.getBoundingClientRect().height)),
    ),
  );
  return heights.filter((height) => height < 20);
}

/**
 * Expects a complete page although one remote may be broken: every slot shows something, the other remotes work at their
 * released versions, and no file without a known hash has run or been applied.
 */
export async function expectWholePage(page: Page, broken?: RemoteName): Promise<void> {
  for (const remote of remoteNames.filter((name) => name !== broken)) await expectHydrated(page, remote);
  const slots = page.locator('[data-remote]');
  await expect(slots).toHaveCount(slotCount);
  expect(await emptySlots(slots)).toEqual([]);
  await expectNothingTampered(page);

  if (broken !== 'mf-pricing') await expect(page.getByRole('link', { name: 'Get Free' })).toBeVisible();
  if (broken !== 'mf-content') await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  if (broken !== 'mf-leads') {
    await page.getByRole('button', { name: /^(Send|Submit)/ }).click();
    await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
  }
  if (broken !== 'mf-header') {
    // A fixture in place of the part has no section.
    const [link, section] = broken === 'mf-leads' ? ['Pricing', 'pricing'] : ['Contact', 'contact'];
    await page.getByRole('banner').getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(new RegExp(`#${section}$`));
  }
}

/** Expects that no file that a test has changed has run or been applied. A changed file sets one of these variables. */
export async function expectNothingTampered(page: Page): Promise<void> {
  const signs = await page.evaluate(() => ({
    script: Boolean(Reflect.get(globalThis, 'tampered')),
    style: getComputedStyle(document.documentElement).getPropertyValue('--tampered') === '1',
  }));
  expect(signs).toEqual({ script: false, style: false });
}

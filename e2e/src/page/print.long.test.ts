import { contrastViolations } from '../checks/accessibility-violations.ts';
import { acceptLeads, leadForms, openLeadForm, sendLead } from '../driver/lead-forms.ts';
import { toasts } from '../driver/landing-page.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

const [contact, trial] = leadForms;

/** On A4 paper. Large content that cannot be split between sheets leaves empty space. */
const maxSheets = 13;

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `print: dark text on white paper in the ${colorScheme} theme`,
    onceOnDesktop,
    async ({ openSite, page }) => {
      await page.emulateMedia({ colorScheme });
      await openSite();
      await page.emulateMedia({ colorScheme, media: 'print' });
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
      await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(20, 24, 43)');
    },
  );
}

test('print: enough contrast', onceOnDesktop, async ({ openSite }) => {
  expect(await contrastViolations(await openSite(), 'color-contrast', { media: 'print' })).toEqual([]);
});

test('print: no buttons, fields or other controls', async ({ openSite }) => {
  const page = await openSite();
  await page.emulateMedia({ media: 'print' });
  const brand = page.getByRole('banner');
  await expect(brand).toBeVisible();
  await expect(brand).not.toHaveCSS('position', 'sticky');
  await expect(brand.getByRole('button')).toHaveCount(0);
  await expect(brand.getByRole('link')).toHaveText(['Countersign']);
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Watch Demo' })).toBeHidden();
  await expect(page.getByRole('textbox')).toHaveCount(0);

  const table = page.getByRole('table');
  await expect(table.getByText('Signees per collection')).toBeVisible();
  await expect(table.getByRole('rowgroup').first()).toHaveCSS('display', 'table-header-group');
  await expect(table.getByRole('columnheader')).toHaveText([
    'Free',
    'Powered User',
    'Team Leader',
    'Enterprise',
  ]);
});

test('print: no toast and no dialog', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  await acceptLeads(page, 'Your message is here.');
  await sendLead(page, contact);
  await expect(toasts(page)).toBeVisible();
  const dialogForm = await openLeadForm(page, trial);
  await expect(dialogForm).toBeVisible();

  await page.emulateMedia({ media: 'print' });
  await expect(toasts(page)).toBeHidden();
  await expect(dialogForm).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
});

test.describe(() => {
  test.use({ fullSplash: true });

  test('print: the whole page, even while the splash covers it', onceOnDesktop, async ({ page }) => {
    await page.emulateMedia({ media: 'print' });
    await page.goto('/', { waitUntil: 'commit' });
    const footer = page.getByRole('contentinfo', { includeHidden: true });
    await expect(footer).toBeVisible();
    await expect(page.locator('#splash')).toBeHidden();
    await expect(footer).toHaveCSS('content-visibility', 'visible');
  });
});

test(`print: ${maxSheets} sheets at most`, onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  const pdf = await page.pdf({
    format: 'A4',
    margin: { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' },
  });
  const count = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(maxSheets);
});

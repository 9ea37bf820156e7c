import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fieldOf, openLeadForm } from '../driver/lead-forms.ts';
import { expect, test } from '../site/site-test.ts';
import { startDevelopmentServer } from '../site/development-server.ts';
import { splashEnd } from '../driver/open-page.ts';
import { recordConsole } from '../driver/record-console.ts';
import { projectDirectory } from '../site/running-site.ts';
import { slotsOf } from '../driver/landing-page.ts';

const heading = 'Plans that grow with your paperwork';
const pricing = (page: Page) => slotsOf(page, 'mf-pricing');

/** Opens the page and brings it into a state that a reload or a new mount would lose. */
async function openInUse(page: Page, url: string): Promise<{ expectStillInUse(): Promise<void> }> {
  // The client of the development server prints there why it reloads a page.
  const printed = recordConsole(page.context());
  await page.goto(url);
  await splashEnd(page);
  await expect(pricing(page)).toHaveAttribute('data-version', '0.0.0-development');
  const form = await openLeadForm(page, { type: 'contact' });
  await fieldOf(form, 'Name').fill('Ada');
  const monthly = pricing(page).getByRole('radiogroup').first().getByRole('radio', { name: 'Monthly' });
  await monthly.check();
  await expect(monthly).toBeChecked();
  await page.evaluate(() => Object.assign(globalThis, { isOldPage: true }));
  return {
    async expectStillInUse() {
      const isOldPage = await page.evaluate(() => 'isOldPage' in globalThis);
      expect(isOldPage, `no reload after: ${printed.join('\n')}`).toBe(true);
      await expect(fieldOf(form, 'Name')).toHaveValue('Ada');
      await expect(monthly).toBeChecked();
    },
  };
}

test('development: saved changes appear in the live page, which keeps its state', async ({ page, site }) => {
  await using server = await startDevelopmentServer('mf-pricing', '--site', site.url);
  const { expectStillInUse } = await openInUse(page, server.url);

  await test.step('a component', async () => {
    await server.edit('pricing.tsx', heading, 'Plans for everyone');
    await expect(pricing(page).getByRole('heading', { name: 'Plans for everyone' })).toBeVisible();
    await expectStillInUse();
  });

  await test.step('a child', async () => {
    await server.edit('plan-card.tsx', 'per month', 'every month');
    await expect(pricing(page).getByText('every month').first()).toBeVisible();
    await expectStillInUse();
  });

  await test.step('a plain module', async () => {
    await server.edit('plans.ts', "'Everything in Free +'", "'All of Free +'");
    await expect(pricing(page).getByText('All of Free +').first()).toBeVisible();
    await expectStillInUse();
  });

  await test.step('a stylesheet', async () => {
    await server.edit('pricing.module.css', '.heading {', '.heading {\n  text-decoration: overline;');
    await expect(pricing(page).getByRole('heading', { level: 2 })).toHaveCSS(
      'text-decoration-line',
      'overline',
    );
    await expectStillInUse();
  });

  await test.step('a mistake, and its correction', async () => {
    await server.edit('pricing.tsx', 'const headingId =', 'const const headingId =');
    await expect.poll(() => server.lines.join('\n')).toContain('mf-pricing has errors');
    await expectStillInUse();
    await server.edit('pricing.tsx', 'const const headingId =', 'const headingId =');
    await server.edit('pricing.tsx', 'Plans for everyone', heading);
    await expect(pricing(page).getByRole('heading', { name: heading })).toBeVisible();
    await expectStillInUse();
  });

  await test.step('an error while rendering, and its correction', async () => {
    const repair = await server.breakRendering('No id');
    // The markup takes the place of the component, whose state is lost.
    await expect(pricing(page)).not.toHaveAttribute('data-version');
    await expect(pricing(page).getByRole('heading', { name: heading })).toBeVisible();
    await repair();
    await expect(pricing(page)).toHaveAttribute('data-version', '0.0.0-development');
  });

  await test.step('a reload of the page', async () => {
    await page.reload();
    await expect(pricing(page)).toHaveAttribute('data-version', '0.0.0-development');
    await expect(pricing(page).getByText('every month').first()).toBeVisible();
  });
});

test('development: with --journeys the terminal names the journey that a saved change breaks', async ({
  site,
}) => {
  const follow = join(projectDirectory, 'release/src/follow-journeys.ts');
  const words = ['--site', site.url, '--journeys', '--follow', follow];
  await using server = await startDevelopmentServer('mf-pricing', ...words);
  const expectPrinted = (line: RegExp) =>
    expect.poll(() => server.lines.join('\n'), { timeout: 60_000 }).toMatch(line);
  await expectPrinted(/^journeys: \d+ followed, 0 broken, in /m);
  await server.edit('plan-card.tsx', 'per year', 'yearly');
  await expectPrinted(/^journeys: mf-pricing: "Powered User shows .*step \d+ of \d+ .*it is not there$/m);
});

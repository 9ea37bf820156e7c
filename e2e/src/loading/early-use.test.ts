import type { RemoteName } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import { endSplashWithout, entryBundle, holdFiles, splashEnd } from '../driver/open-page.ts';
import { expectPrice } from '../checks/expect-prices.ts';
import { entriesOf, fieldOf, fillIn, leadForms, openLeadForm } from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';
import type { RunningSite } from '../site/running-site.ts';
import { recordConsole } from '../driver/record-console.ts';
import { sectionOf, slotOf, slotsOf } from '../driver/landing-page.ts';

const [contact] = leadForms;

const contactForm = (page: Page) => sectionOf(page, 'contact').getByRole('form');

/** Opens the page while the code of a remote is delayed, and waits for the end of the splash. */
async function openWithout(page: Page, { url }: RunningSite, remote: RemoteName) {
  await endSplashWithout(page, remote);
  const release = await holdFiles(page, new RegExp(`/${remote}/|${entryBundle.source}`));
  // The page has not finished loading.
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await splashEnd(page);
  return release;
}

for (const { remote, width, button, way, dialog } of [
  { remote: 'mf-header', width: 390, button: 'Open menu', way: 'click', dialog: 'Menu' },
  { remote: 'mf-leads', width: 1280, button: 'Schedule Demo', way: 'Enter', dialog: 'Schedule your demo' },
  { remote: 'mf-leads', width: 1280, button: 'Schedule Demo', way: 'Space', dialog: 'Schedule your demo' },
] as const) {
  test(`early use: "${button}", pressed with ${way}, works later`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 800 });
    const release = await openWithout(page, site, remote);
    const control = slotsOf(page, remote).getByRole('button', { name: button });
    await (way === 'click' ? control.click() : control.press(way));
    await expect(slotsOf(page, remote)).not.toHaveAttribute('data-version');
    release();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
  });
}

/** A button whose code only prints its label to the console. */
const watchDemo = (page: Page) => page.getByRole('button', { name: 'Watch Demo' });

test('early use: a button clicked several times before its code loads acts once', async ({ page, site }) => {
  const messages = recordConsole(page.context());
  const release = await openWithout(page, site, 'mf-content');
  for (let press = 0; press < 3; press += 1) await watchDemo(page).click();
  release();
  await expect.poll(() => messages).toContain('Watch Demo');
  await watchDemo(page).click();
  expect(messages).toEqual(['Watch Demo', 'Watch Demo']);
});

/** Clicks as soon as a slot begins to render, which is before its hydration. Call it before opening the page. */
async function clickWhileHydrating(page: Page, exposed: string, selector: string): Promise<void> {
  await page.addInitScript(
    ([key, control]) => {
      const observer = new MutationObserver(() => {
        const slot = document.querySelector(`[data-exposed="${key}"][data-state="running"]`);
        if (!slot) return;
        observer.disconnect();
        const click = new MouseEvent('click', { bubbles: true, cancelable: true });
        slot.querySelector(control)?.dispatchEvent(click);
      });
      observer.observe(document, { subtree: true, attributeFilter: ['data-state'] });
    },
    [exposed, selector] as const,
  );
}

test('early use: a click during hydration is handled once', async ({ openSite, page }) => {
  const messages = recordConsole(page.context());
  await clickWhileHydrating(page, './hero', 'button');
  await openSite();
  await watchDemo(page).focus();
  await expect(slotOf(page, './hero')).toHaveAttribute('data-version', /./);
  await watchDemo(page).click();
  expect(messages).toEqual(['Watch Demo', 'Watch Demo']);
});

test('early use: an interval chosen during hydration stays, with its price', async ({ openSite, page }) => {
  await clickWhileHydrating(page, './pricing', '[aria-label$="Team Leader"] label:last-child input');
  await openSite();
  const plan = page.getByRole('article', { name: 'Team Leader' });
  await expect(plan.getByRole('radio', { name: 'Yearly' })).toBeChecked();
  await expectPrice(page, 'Team Leader', '$129.99 USD per year');
});

test('early use: early input overrides a draft, which fills the other fields', async ({
  openSite,
  page,
  site,
}) => {
  await openSite();
  await fillIn(await openLeadForm(page, contact), { Name: 'Ada of the draft', Company: 'Draft & Sons' });
  const release = await openWithout(page, site, 'mf-leads');
  const form = contactForm(page);
  await fieldOf(form, 'Name').fill('Ada in a hurry');
  release();
  await expect(slotOf(page, './call-to-action')).toHaveAttribute('data-version', /./);
  expect(await entriesOf(form)).toMatchObject({ Name: 'Ada in a hurry', Company: 'Draft & Sons' });

  await openSite();
  await form.scrollIntoViewIfNeeded();
  await expect(fieldOf(form, 'Name')).toHaveValue('Ada in a hurry');
});

test('early use: typing during the load loses neither characters nor the caret', async ({ page, site }) => {
  const release = await openWithout(page, site, 'mf-leads');
  const form = contactForm(page);
  const message = 'We sign forty contracts a week, and we do it on paper. '.repeat(3).trim();
  await fieldOf(form, 'Message').focus();
  const half = message.length / 2;
  await page.keyboard.type(message.slice(0, half));
  release();
  await page.keyboard.type(message.slice(half), { delay: 5 });
  await expect(slotOf(page, './call-to-action')).toHaveAttribute('data-version', /./);
  await expect(fieldOf(form, 'Message')).toHaveValue(message);
  await page.keyboard.type('!');
  await expect(fieldOf(form, 'Message')).toHaveValue(`${message}!`);
});

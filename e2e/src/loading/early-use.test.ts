import type { RemoteName } from '@countersign/contracts/remotes';
import type { Locator, Page } from '@playwright/test';
import { endSplashWithout, entryBundle, holdFiles, splashEnd } from '../driver/open-page.ts';
import { expectPrice } from '../checks/expect-prices.ts';
import { entriesOf, fieldOf, fillIn, leadForms, openLeadForm } from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';
import type { RunningSite } from '../site/running-site.ts';
import { recordConsole } from '../driver/record-console.ts';

const [contact] = leadForms;

const contactForm = (page: Page) => page.locator('#contact').getByRole('form');

/** Opens the page while the code of a remote is delayed, and waits for the end of the splash. */
async function openWithout(page: Page, { url }: RunningSite, remote: RemoteName) {
  await endSplashWithout(page, remote);
  const held = await holdFiles(page, new RegExp(`/${remote}/|${entryBundle.source}`));
  // The page has not finished loading.
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await splashEnd(page);
  return held;
}

interface EarlyPress {
  readonly remote: RemoteName;
  /** Width of a window in which the control is shown. */
  readonly width?: number;
  readonly control: (page: Page) => Locator;
  /** Expects the effect of the press. */
  readonly expectEffect: (page: Page) => Promise<void>;
}

const inContact = (page: Page, name: string) => page.locator('#contact').getByRole('button', { name });

const expectDialog = async (page: Page, name: string) => {
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(page.getByRole('dialog', { name })).toBeVisible();
};

/** Control → effect of a press once the code has loaded. */
const earlyPresses: Readonly<Record<string, EarlyPress>> = {
  'the button of the side menu': {
    remote: 'mf-header',
    width: 390,
    control: (page) => page.getByRole('button', { name: 'Open menu' }),
    expectEffect: (page) => expectDialog(page, 'Menu'),
  },
  'the button of the demo form': {
    remote: 'mf-leads',
    control: (page) => inContact(page, 'Schedule Demo'),
    expectEffect: (page) => expectDialog(page, 'Schedule your demo'),
  },
};

const slotOf = (page: Page, exposed: string) => page.locator(`[data-exposed="${exposed}"]`);

const [click, ...keys] = [
  ['clicked', (element: Locator) => element.click()],
  ['pressed with Enter', (element: Locator) => element.press('Enter')],
  ['pressed with Space', (element: Locator) => element.press('Space')],
] as const;

for (const [what, { remote, width, control, expectEffect }] of Object.entries(earlyPresses)) {
  for (const [way, press] of [click, ...(remote === 'mf-leads' ? keys : [])]) {
    test(`early use: ${what}, ${way}, works later`, async ({ page, site }) => {
      if (width) await page.setViewportSize({ width, height: 800 });
      const { release } = await openWithout(page, site, remote);
      await press(control(page));
      await expect(page.locator(`[data-remote="${remote}"]`)).not.toHaveAttribute('data-version');
      release();
      await expectEffect(page);
    });
  }
}

const watchDemo = (page: Page) => page.getByRole('button', { name: 'Watch Demo' });

test('early use: a button clicked several times before its code loads acts once', async ({ page, site }) => {
  const messages = recordConsole(page.context());
  const { release } = await openWithout(page, site, 'mf-content');
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
  const { release } = await openWithout(page, site, 'mf-leads');
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
  const { release } = await openWithout(page, site, 'mf-leads');
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

test('early use: the arrow keys choose an interval before the code loads', async ({ page, site }) => {
  const { release } = await openWithout(page, site, 'mf-pricing');
  const plan = page.getByRole('article', { name: 'Enterprise' });
  await plan.getByRole('radio', { name: 'Monthly' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(plan.getByRole('radio', { name: 'Yearly' })).toBeFocused();
  release();
  await expectPrice(page, 'Enterprise', '$299.99 USD per year');
  await expect(plan.getByRole('radio', { name: 'Yearly' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expectPrice(page, 'Enterprise', '$29.99 USD per month');
});

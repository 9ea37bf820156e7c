import type { Locator, Page } from '@playwright/test';

/** Something that many visitors do, on a phone. */
export interface VisitorInteraction {
  readonly name: string;
  /** Prepares the page. Runs once, before the CPU is slowed. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** What the visitor taps. */
  readonly target: (page: Page) => Locator;
  /** Text that the visitor types after the tap. Every key press is part of the measurement. */
  readonly text?: string;
  /** Selector that matches as soon as the page shows the result. */
  readonly result?: string;
  /** Reverts the interaction, so that it can be measured again in the same page. */
  readonly revert: (page: Page) => Promise<unknown>;
}

const dialog = '[role="dialog"]';
const noDialog = `html:not(:has(${dialog}))`;

const button = (page: Page, name: string) => page.getByRole('button', { name });
const inContact = (page: Page, name: string) => page.locator('#contact').getByRole('button', { name });
const openMenu = (page: Page) => button(page, 'Open menu').tap();
const openTrial = (page: Page) => inContact(page, 'Start Free Trial').tap();
const firstField = (page: Page) => page.locator('#contact').getByRole('textbox', { name: 'Name' });

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator(dialog).waitFor({ state: 'detached' });
}

export const visitorInteractions: readonly VisitorInteraction[] = [
  {
    name: 'menu: open',
    target: (page) => button(page, 'Open menu'),
    result: dialog,
    revert: closeDialog,
  },
  {
    name: 'menu: choose Pricing',
    prepare: openMenu,
    target: (page) => page.locator(dialog).getByRole('link', { name: 'Pricing' }),
    result: noDialog,
    revert: openMenu,
  },
  {
    name: 'menu: dark theme',
    prepare: openMenu,
    target: (page) => page.locator(dialog).locator('label', { hasText: 'Dark' }),
    result: 'html[data-theme="dark"]',
    revert: (page) => page.locator(dialog).locator('label', { hasText: 'Light' }).tap(),
  },
  {
    name: 'plan: yearly price',
    target: (page) =>
      page.getByRole('article', { name: 'Team Leader' }).locator('label', { hasText: 'Yearly' }),
    revert: (page) =>
      page.getByRole('article', { name: 'Team Leader' }).locator('label', { hasText: 'Monthly' }).tap(),
  },
  {
    name: 'limit: explanation',
    target: (page) => button(page, 'Signees per collection'),
    result: '[role="tooltip"]',
    revert: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'trial form: open',
    target: (page) => inContact(page, 'Start Free Trial'),
    result: dialog,
    revert: closeDialog,
  },
  {
    name: 'trial form: close',
    prepare: openTrial,
    target: (page) => page.locator(dialog).getByRole('button', { name: 'Close' }),
    result: noDialog,
    revert: openTrial,
  },
  {
    name: 'demo form: open',
    target: (page) => inContact(page, 'Schedule Demo'),
    result: dialog,
    revert: closeDialog,
  },
  {
    name: 'contact form: type a name',
    target: firstField,
    text: 'Ada',
    revert: (page) => firstField(page).blur(),
  },
  {
    name: 'contact form: send it empty',
    target: (page) => page.locator('#contact form').getByRole('button'),
    result: '#contact [aria-invalid="true"]',
    // A corrected form has no error, and another press sends it.
    revert: (page) => page.reload(),
  },
];

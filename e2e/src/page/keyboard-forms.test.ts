import {
  acceptLeads,
  fieldOf,
  leadForms,
  openLeadForm,
  rightEntries,
  sendButton,
} from '../driver/lead-forms.ts';
import { closeNotice, notices } from '../driver/landing-page.ts';
import { expect, test } from '../site/page-test.ts';

const [contact, { opener }] = leadForms;

test('dialog: traps the focus until Escape returns it', async ({ openSite }) => {
  const page = await openSite();
  const button = page.locator('#contact').getByRole('button', { name: opener });
  await button.focus();
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog');
  const form = dialog.getByRole('form');
  const stops = [
    ...(['Name', 'Email', 'Company', 'Message'] as const).map((name) => fieldOf(form, name)),
    sendButton(form),
    dialog.getByRole('button', { name: 'Close' }),
  ];
  await expect(fieldOf(form, 'Name')).toBeFocused();
  for (const stop of [...stops.slice(1), ...stops]) {
    await page.keyboard.press('Tab');
    await expect(stop).toBeFocused();
  }
  for (const stop of stops.toReversed().slice(1)) {
    await page.keyboard.press('Shift+Tab');
    await expect(stop).toBeFocused();
  }
  // Escape that cancels a conversion of an input method.
  await fieldOf(form, 'Name').dispatchEvent('keydown', { key: 'Escape', isComposing: true });
  await expect(dialog).toHaveAttribute('data-state', 'open');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('keyboard: a message is corrected and sent, and its notice closed', async ({ openSite }) => {
  const page = await openSite();
  await acceptLeads(page, 'Your message is here.');
  const form = await openLeadForm(page, contact);
  await fieldOf(form, 'Name').focus();
  await page.keyboard.type(rightEntries.Name);
  await page.keyboard.press('Tab');
  await page.keyboard.type('nobody');
  await page.keyboard.press('Enter');
  await expect(fieldOf(form, 'Email')).toBeFocused();
  await expect(fieldOf(form, 'Email')).toHaveAccessibleDescription('Please enter a valid email address');

  await page.keyboard.type('@example.com');
  await expect(fieldOf(form, 'Email')).toHaveAccessibleDescription('');
  await page.keyboard.press('Tab');
  await page.keyboard.type(rightEntries.Company);
  await page.keyboard.press('Tab');
  await page.keyboard.type(rightEntries.Message);
  await page.keyboard.press('Tab');
  await expect(sendButton(form)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(notices(page)).toContainText('Your message is here.');

  await page.keyboard.press('F8');
  await expect(notices(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(closeNotice(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(notices(page)).toHaveCount(0);
});

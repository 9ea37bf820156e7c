import {
  acceptLeads,
  fieldOf,
  leadForms,
  openLeadForm,
  rightEntries,
  sendButton,
} from '../driver/lead-forms.ts';
import { toasts } from '../driver/landing-page.ts';
import { expect, test } from '../site/page-test.ts';

const [contact] = leadForms;

test('keyboard: a message is corrected and sent', async ({ openSite }) => {
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
  await expect(toasts(page)).toContainText('Your message is here.');
});

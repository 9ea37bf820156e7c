import { fieldOf, fillIn, leadForms, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

const messages = {
  Name: 'Name must be at least 2 characters',
  Email: 'Please enter a valid email address',
  Message: 'Message must be at least 10 characters',
} as const;
const required = ['Name', 'Email', 'Message'] as const;

const [, , demo] = leadForms;

test('validation: in a low window, a dialog shows the focused label and error', async ({
  openSite,
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 320 });
  await openSite();
  const form = await openLeadForm(page, demo);
  for (const name of required) {
    await fillIn(form, { ...rightEntries, [name]: '' });
    await sendButton(form).click();
    await expect(fieldOf(form, name)).toBeFocused();
    await expect(form.getByText(messages[name])).toBeInViewport({ ratio: 1 });
    const label = form.locator('label', { hasText: name });
    const isUncovered = () =>
      label.evaluate((node) => {
        const { left, top, bottom } = node.getBoundingClientRect();
        return [top + 1, bottom - 1].every((y) => node.contains(document.elementFromPoint(left + 1, y)));
      });
    await expect.poll(isUncovered, { message: `the label of ${name} is visible` }).toBe(true);
  }
});

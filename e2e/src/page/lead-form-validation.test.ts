import type { Locator } from '@playwright/test';
import { fieldOf, fillIn, leadForms, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

const messages = {
  Name: 'Name must be at least 2 characters',
  Email: 'Please enter a valid email address',
  Message: 'Message must be at least 10 characters',
} as const;
const required = ['Name', 'Email', 'Message'] as const;

async function hasRedBorder(field: Locator): Promise<boolean> {
  const color = await field.evaluate((node) => getComputedStyle(node).borderBottomColor);
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return red > 1.5 * Math.max(green, blue);
}

const [contact, , demo] = leadForms;

test('validation: each invalid field is marked, with its message below', async ({ openSite, page }) => {
  await openSite();
  const form = await openLeadForm(page, contact);
  await sendButton(form).click();
  await expect(fieldOf(form, 'Name')).toBeFocused();
  for (const name of required) {
    const field = fieldOf(form, name);
    await expect(field).toHaveAccessibleDescription(messages[name]);
    const tops = await Promise.all(
      [field, form.getByText(messages[name])].map((element) => element.boundingBox()),
    );
    expect(tops[1]?.y).toBeGreaterThan(Number(tops[0]?.y));
    await expect.poll(() => hasRedBorder(field)).toBe(true);
  }
  expect(await hasRedBorder(fieldOf(form, 'Company'))).toBe(false);
  await fillIn(form, rightEntries);
  for (const name of required) {
    await expect(form).not.toContainText(messages[name]);
    await expect.poll(() => hasRedBorder(fieldOf(form, name))).toBe(false);
  }
});

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

import type { Locator } from '@playwright/test';
import { fieldOf, fillIn, leadForms, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

const messages = {
  Name: 'Name must be at least 2 characters',
  Email: 'Please enter a valid email address',
  Message: 'Message must be at least 10 characters',
} as const;
const required = ['Name', 'Email', 'Message'] as const;

async function topOf(element: Locator): Promise<number> {
  return element.evaluate((node) => node.getBoundingClientRect().top);
}

async function hasRedBorder(field: Locator): Promise<boolean> {
  const colour = await field.evaluate((node) => getComputedStyle(node).borderBottomColor);
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return red > 1.5 * Math.max(green, blue);
}

for (const leadForm of leadForms) {
  test(`validation: the ${leadForm.type} form shows errors after a submit, and removes them when corrected`, async ({
    openSite,
    page,
  }) => {
    const leads: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') leads.push(request.url());
    });
    await openSite();
    const form = await openLeadForm(page, leadForm);

    await test.step('the required fields are marked, and nothing is wrong yet', async () => {
      for (const name of required) {
        await expect(form.locator('label', { hasText: name })).toContainText('*');
        await expect(fieldOf(form, name)).toHaveAttribute('aria-required', 'true');
        await expect(fieldOf(form, name)).not.toHaveAttribute('aria-invalid', 'true');
      }
      await expect(form.locator('label', { hasText: 'Company' })).not.toContainText('*');
      await expect(fieldOf(form, 'Company')).not.toHaveAttribute('aria-required', 'true');

      await fieldOf(form, 'Name').pressSequentially('A');
      await fieldOf(form, 'Email').pressSequentially('nobody');
      await fieldOf(form, 'Message').focus();
      for (const message of Object.values(messages)) await expect(form).not.toContainText(message);
    });

    await test.step('sending shows every message under its field and moves to the first wrong one', async () => {
      await fillIn(form, { Name: '', Email: '' });
      await sendButton(form).click();
      for (const name of required) {
        const field = fieldOf(form, name);
        await expect(field).toHaveAttribute('aria-invalid', 'true');
        await expect(field).toHaveAccessibleDescription(messages[name]);
        expect(await topOf(form.getByText(messages[name]))).toBeGreaterThan(await topOf(field));
        await expect.poll(() => hasRedBorder(field)).toBe(true);
      }
      expect(await hasRedBorder(fieldOf(form, 'Company'))).toBe(false);
      await expect(fieldOf(form, 'Company')).not.toHaveAttribute('aria-invalid', 'true');
      await expect(fieldOf(form, 'Name')).toBeFocused();
    });

    await test.step('each message follows what is typed', async () => {
      const turns = {
        Name: ['A', 'Al'],
        Email: ['ada@', 'ada@example.com'],
        Message: ['Nine char', 'Ten charac'],
      };
      for (const name of required) {
        const [wrong, right] = turns[name];
        await fillIn(form, { [name]: wrong });
        await expect(fieldOf(form, name)).toHaveAccessibleDescription(messages[name]);
        await fillIn(form, { [name]: right });
        await expect(form).not.toContainText(messages[name]);
        await expect(fieldOf(form, name)).not.toHaveAttribute('aria-invalid', 'true');
        await expect(fieldOf(form, name)).toHaveAccessibleDescription('');
        await fillIn(form, { [name]: wrong });
        await expect(fieldOf(form, name)).toHaveAccessibleDescription(messages[name]);
        await fillIn(form, { [name]: right });
      }
    });

    await test.step('the first wrong field may be any of them', async () => {
      const wrong = { Email: 'ada.example.com', Message: '          ' } as const;
      for (const name of ['Message', 'Email'] as const) {
        await fillIn(form, { [name]: wrong[name] });
        await sendButton(form).click();
        await expect(fieldOf(form, name)).toBeFocused();
      }
    });
    expect(leads).toEqual([]);
  });
}

const [, ...dialogForms] = leadForms;

for (const leadForm of dialogForms) {
  test(`validation: the ${leadForm.type} form shows label and error of the focused field in a low window`, async ({
    openSite,
    page,
  }) => {
    await page.setViewportSize({ width: 640, height: 320 });
    await openSite();
    const form = await openLeadForm(page, leadForm);
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
}

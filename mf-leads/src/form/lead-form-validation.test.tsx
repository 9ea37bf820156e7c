import { within } from '@testing-library/react';
import { renderSection, stubService, user, validFields } from '../testing/render-section.tsx';

const site = stubService();

test('fields: required ones are announced, and free text has the direction of its script', () => {
  const { field } = renderSection();
  for (const name of ['Name', 'Email', 'Company (optional)', 'Message']) {
    const required = String(!name.includes('optional'));
    expect(field(name)).toHaveAttribute('aria-required', required);
    expect(field(name).dir).toBe(name === 'Email' ? '' : 'auto');
  }
});

test('validation: a text beyond its limit is not cut, and not sent', async () => {
  const { form, field, fill, submit } = renderSection();
  await fill({ ...validFields, Message: 'm'.repeat(5001) });
  await submit();
  expect(field('Message')).toHaveAccessibleDescription('Message must be at most 5,000 characters');
  expect(within(form).getByRole('alert')).toHaveTextContent(/^Message must/);
  expect(field('Message')).toHaveFocus();
  expect(field('Message')).toHaveValue('m'.repeat(5001));
  expect(site.requests).toHaveLength(0);
});

test('validation: no errors before the first submit', async () => {
  const { field, fill } = renderSection();
  await fill({ Name: 'A', Email: 'ada' });
  await user.tab();
  for (const name of ['Name', 'Email']) expect(field(name)).toHaveAttribute('aria-invalid', 'false');
});

test('validation: a changed message is shown on a translated page too', async () => {
  const { form, field, fill, submit } = renderSection();
  await submit();
  // Translators in browsers replace each text node by an element with another one.
  const text = document
    .createTreeWalker(within(form).getByText(/^Name must/), NodeFilter.SHOW_TEXT)
    .nextNode();
  const translation = document.createElement('font');
  translation.textContent = 'Name muss länger sein';
  text?.parentNode?.replaceChild(translation, text);
  await fill({ Name: 'n'.repeat(201) });
  expect(field('Name')).toHaveAccessibleDescription(/^Name must be at most 200 characters/);
  expect(within(form).queryByText('Name muss länger sein')).not.toBeInTheDocument();
});

test('validation: values that a tool sets without events are valid, and are sent', async () => {
  const { field, submit, ready } = renderSection();
  await user.click(field('Name'));
  for (const [name, text] of Object.entries(validFields)) {
    // The setter of the prototype, as tools outside of React use it.
    const prototype: unknown = Object.getPrototypeOf(field(name));
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field(name), text);
  }
  await submit();
  await ready();
  const { Name: name, Email: email, Message: message } = validFields;
  expect(site.lead()).toMatchObject({ name, email, message });
});

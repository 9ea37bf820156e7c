import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { fillIn, validFields } from '../testing/fill-in.ts';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();
beforeAll(() => leadFormLogic.prefetch());

const user = userEvent.setup();

function renderForm() {
  render(<CallToAction shell={createShellStub()} />);
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  const field = (name: string) => within(form).getByRole('textbox', { name });
  const submit = () => user.click(within(form).getByRole('button', { name: 'Send Message' }));
  return { form, field, submit };
}

test.each([
  { name: 'Name', asterisk: true },
  { name: 'Email', asterisk: true },
  { name: 'Company (optional)', asterisk: false },
  { name: 'Message', asterisk: true },
])('$name carries an asterisk: $asterisk', ({ name, asterisk }) => {
  const { form, field } = renderForm();
  const label = form.querySelector(`label[for="${field(name).id}"]`);
  expect(label?.textContent.includes('*')).toBe(asterisk);
  expect(field(name)).toHaveAttribute('aria-required', String(asterisk));
});

const mistakes = [
  { name: 'Name', text: '', message: 'Name must be at least 2 characters' },
  { name: 'Name', text: 'A', message: 'Name must be at least 2 characters' },
  { name: 'Name', text: ' A ', message: 'Name must be at least 2 characters' },
  { name: 'Email', text: '', message: 'Please enter a valid email address' },
  { name: 'Email', text: 'ada@', message: 'Please enter a valid email address' },
  { name: 'Message', text: '', message: 'Message must be at least 10 characters' },
  { name: 'Message', text: 'Too short', message: 'Message must be at least 10 characters' },
];

test.each(mistakes)('$name "$text": "$message", and nothing is sent', async ({ name, text, message }) => {
  const { form, field, submit } = renderForm();
  await fillIn(user, form, { ...validFields, [name]: text });
  await submit();
  expect(field(name)).toHaveAttribute('aria-invalid', 'true');
  expect(field(name)).toHaveAccessibleDescription(message);
  expect(field(name)).toHaveFocus();
  expect(within(form).getAllByText(/must be|Please enter/)).toHaveLength(1);
  expect(site.requests).toHaveLength(0);
});

test('validation: the meaning of the asterisk comes before the first field', () => {
  const { form, field } = renderForm();
  const legend = within(form).getByText('Required', { exact: false });
  expect(legend).toHaveTextContent('* Required');
  expect(legend.compareDocumentPosition(field('Name'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('field: free text takes its direction from its script', () => {
  const { field } = renderForm();
  const directions = ['Name', 'Company (optional)', 'Message', 'Email'].map((name) => field(name).dir);
  expect(directions).toEqual(['auto', 'auto', 'auto', '']);
});

test('length: the limit is told near it and beyond it, and no text is cut', async () => {
  const { form, field, submit } = renderForm();
  const message = (length: number) => fillIn(user, form, { Message: 'm'.repeat(length) });
  await fillIn(user, form, validFields);
  await message(3999);
  expect(field('Message')).toHaveAccessibleDescription('');
  await message(4800);
  expect(field('Message')).toHaveAccessibleDescription('Up to 200 characters left');
  await message(5000);
  expect(field('Message')).toHaveAccessibleDescription('No characters left');
  await message(5001);
  expect(field('Message')).toHaveAccessibleDescription('1 character too many');
  // As the schema, the hint counts code points.
  await fillIn(user, form, { Message: '😀'.repeat(5000) });
  expect(field('Message')).toHaveAccessibleDescription('No characters left');
  await message(5001);
  await submit();
  expect(field('Message')).toHaveAccessibleDescription(
    'Message must be at most 5,000 characters 1 character too many',
  );
  expect(field('Message')).toHaveFocus();
  expect(site.requests).toHaveLength(0);
  await message(5000);
  await submit();
  await waitFor(() => expect(field('Message')).toHaveValue(''));
  expect(field('Message')).toHaveAccessibleDescription('');
});

test('validation: an international domain is sent in ASCII', async () => {
  const { form, submit } = renderForm();
  await fillIn(user, form, { ...validFields, Email: 'fay@bücher.de' });
  await submit();
  expect(JSON.parse(site.requests[0]?.body ?? '')).toMatchObject({ email: 'fay@xn--bcher-kva.de' });
});

test('validation: the first invalid field gets the focus', async () => {
  const { form, field, submit } = renderForm();
  await fillIn(user, form, { Name: 'Ada' });
  await submit();
  expect(field('Name')).toHaveAttribute('aria-invalid', 'false');
  expect(field('Email')).toHaveAttribute('aria-invalid', 'true');
  expect(field('Message')).toHaveAttribute('aria-invalid', 'true');
  expect(field('Email')).toHaveFocus();
});

test('validation: no errors before the first submit', async () => {
  const { form, field } = renderForm();
  await fillIn(user, form, { Name: 'A', Email: 'ada' });
  await user.tab();
  expect(field('Name')).toHaveAttribute('aria-invalid', 'false');
  expect(field('Email')).toHaveAttribute('aria-invalid', 'false');
});

test('validation: after a submit, every change is validated', async () => {
  const { field, submit } = renderForm();
  await submit();
  await user.type(field('Name'), 'A');
  expect(field('Name')).toHaveAccessibleDescription('Name must be at least 2 characters');
  await user.type(field('Name'), 'd');
  expect(field('Name')).toHaveAttribute('aria-invalid', 'false');
  expect(field('Name')).not.toHaveAccessibleDescription();
  await user.type(field('Name'), '{Backspace}');
  expect(field('Name')).toHaveAccessibleDescription('Name must be at least 2 characters');
});

test('validation: a changed message is shown on a translated page too', async () => {
  const { form, field, submit } = renderForm();
  await submit();
  // Translators in browsers replace each text node by an element with another one.
  const text = document
    .createTreeWalker(within(form).getByText(/^Name must/), NodeFilter.SHOW_TEXT)
    .nextNode();
  const translation = document.createElement('font');
  translation.textContent = 'Name muss länger sein';
  text?.parentNode?.replaceChild(translation, text);
  await fillIn(user, form, { Name: 'n'.repeat(201) });
  expect(field('Name')).toHaveAccessibleDescription(/^Name must be at most 200 characters/);
  expect(within(form).queryByText('Name muss länger sein')).not.toBeInTheDocument();
});

test('validation: values that a tool sets without events are valid, and are sent', async () => {
  const { form, field, submit } = renderForm();
  await user.click(field('Name'));
  for (const [name, text] of Object.entries(validFields)) {
    // The setter of the prototype, as tools outside of React use it.
    const prototype: unknown = Object.getPrototypeOf(field(name));
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field(name), text);
  }
  await submit();
  await within(form).findByRole('button', { name: 'Send Message' });
  expect(JSON.parse(site.requests[0]?.body ?? '')).toMatchObject({
    name: validFields.Name,
    email: validFields.Email,
    message: validFields.Message,
  });
});

test('validation: company is optional, and outer white space is ignored', async () => {
  const { form, submit } = renderForm();
  await fillIn(user, form, { ...validFields, Name: ' Ada ', 'Company (optional)': '' });
  await submit();
  await within(form).findByRole('button', { name: 'Send Message' });
  expect(JSON.parse(site.requests[0]?.body ?? '')).toMatchObject({ name: 'Ada', company: '' });
});

test('validation: evaluates no code', async () => {
  const evaluate = jest.spyOn(globalThis, 'Function');
  await jest.isolateModulesAsync(async () => {
    const { leadFields } = await import('@countersign/contracts/lead');
    expect(leadFields.safeParse({ name: 'A' }).success).toBe(false);
  });
  expect(evaluate).not.toHaveBeenCalled();
  evaluate.mockRestore();
});

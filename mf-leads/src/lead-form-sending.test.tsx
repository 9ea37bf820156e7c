import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from './call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { createShellStub } from './shell-stub.ts';
import { fieldsOf, fillIn, rightFields } from './testing/fill-in.ts';
import { startSiteForEachTest } from './testing/start-site-for-each-test.ts';

const site = startSiteForEachTest();
beforeAll(() => leadFormLogic.prefetch());

const user = userEvent.setup();

async function renderFilledIn() {
  const shell = createShellStub();
  render(<CallToAction shell={shell} />);
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  await fillIn(user, form, rightFields);
  const button = within(form).getByRole('button', { name: 'Send Message' });
  return { shell, form, button };
}

test('while a lead is on its way, the button says Submitting... and cannot be pressed', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.hold();
  await user.click(button);
  expect(await within(form).findByRole('button', { name: 'Submitting...' })).toBeDisabled();
  answer();
  expect(await within(form).findByRole('button', { name: 'Send Message' })).toBeEnabled();
});

test('while a lead is on its way, its fields take no text that would be lost with it', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.hold();
  await user.click(button);
  await within(form).findByRole('button', { name: 'Submitting...' });
  for (const field of within(form).getAllByRole('textbox')) {
    await user.type(field, ' One more thing.');
    expect(field).toHaveAttribute('readonly');
    expect(field).toHaveFocus();
  }
  expect(fieldsOf(form)).toEqual(rightFields);
  answer();
  await within(form).findByRole('button', { name: 'Send Message' });
  await user.type(within(form).getByRole('textbox', { name: 'Message' }), 'One more thing.');
  expect(fieldsOf(form)).toMatchObject({ Name: '', Message: 'One more thing.' });
});

test('a visitor who pressed Enter in a field stays in it, and can go on typing after a failure', async () => {
  site.answerWith({ status: 503, body: 'Not now.' });
  const { shell, form } = await renderFilledIn();
  const company = within(form).getByRole('textbox', { name: 'Company (optional)' });
  const answer = site.hold();
  await user.type(company, '{Enter}');
  await within(form).findByRole('button', { name: 'Submitting...' });
  await user.keyboard(' & Sons');
  answer();
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  await within(form).findByRole('button', { name: 'Send Message' });
  expect(company).toHaveFocus();
  await user.keyboard(' Ltd');
  expect(company).toHaveValue('Analytical Engines Ltd');
});

test('when it is stored, the visitor reads what the service says, and the form is empty', async () => {
  site.answerWith({ status: 201, body: JSON.stringify({ message: 'We will write to you.' }) });
  const { shell, form, button } = await renderFilledIn();
  await user.click(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(shell.notify).toHaveBeenCalledTimes(1);
  expect(shell.notify).toHaveBeenCalledWith({ title: 'Success!', description: 'We will write to you.' });
  expect(Object.values(fieldsOf(form))).toEqual(['', '', '', '']);
});

test('when it fails, the visitor reads why, and the form keeps what was typed', async () => {
  site.answerWith({ status: 429, body: 'Please wait a minute before you send another message.' });
  const { shell, form, button } = await renderFilledIn();
  await user.click(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(shell.notify).toHaveBeenCalledTimes(1);
  expect(shell.notify).toHaveBeenCalledWith({
    title: 'Error',
    description: '429: Please wait a minute before you send another message.',
    variant: 'destructive',
  });
  expect(fieldsOf(form)).toEqual(rightFields);
});

test('a failure without words of its own gets the general ones', async () => {
  const { shell, button } = await renderFilledIn();
  jest.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new Error(''));
  await user.click(button);
  await waitFor(() =>
    expect(shell.notify).toHaveBeenCalledWith({
      title: 'Error',
      description: 'Something went wrong. Please try again.',
      variant: 'destructive',
    }),
  );
});

test('after a failure the same lead can be sent again', async () => {
  site.answerWith({ status: 503, body: 'Not now.' });
  const { shell, form, button } = await renderFilledIn();
  await user.click(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalledTimes(1));
  site.answerWith({ status: 201, body: JSON.stringify({ message: 'Stored.' }) });
  await user.click(await within(form).findByRole('button', { name: 'Send Message' }));
  await waitFor(() =>
    expect(shell.notify).toHaveBeenLastCalledWith({ title: 'Success!', description: 'Stored.' }),
  );
  expect(site.requests).toHaveLength(2);
});

test('a double click sends once', async () => {
  const { shell, button } = await renderFilledIn();
  await user.dblClick(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(site.requests).toHaveLength(1);
});

test('two submissions in the same moment send once', async () => {
  const { shell, form } = await renderFilledIn();
  act(() => {
    fireEvent.submit(form);
    fireEvent.submit(form);
  });
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(site.requests).toHaveLength(1);
  expect(shell.notify).toHaveBeenCalledTimes(1);
});

test('a visitor whose button lost the focus by being disabled gets it back', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.hold();
  await user.click(button);
  await within(form).findByRole('button', { name: 'Submitting...' });
  // Browsers do this by themselves, jsdom leaves the focus where it was.
  const field = within(form).getByRole('textbox', { name: 'Name' });
  act(() => field.focus());
  act(() => field.blur());
  expect(document.body).toHaveFocus();
  answer();
  await waitFor(() => expect(within(form).getByRole('button', { name: 'Send Message' })).toHaveFocus());
});

test('a visitor who went on to a field in the meantime stays there', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.hold();
  await user.click(button);
  await within(form).findByRole('button', { name: 'Submitting...' });
  await user.click(within(form).getByRole('textbox', { name: 'Name' }));
  answer();
  await within(form).findByRole('button', { name: 'Send Message' });
  expect(within(form).getByRole('textbox', { name: 'Name' })).toHaveFocus();
});

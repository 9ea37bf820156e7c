import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { readFields, fillIn, validFields } from '../testing/fill-in.ts';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();
beforeAll(() => leadFormLogic.prefetch());

const user = userEvent.setup();

async function renderFilledIn() {
  const shell = createShellStub(() => jest.fn());
  render(<CallToAction shell={shell} />);
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  await fillIn(user, form, validFields);
  const button = within(form).getByRole('button', { name: 'Send Message' });
  return { shell, form, button };
}

test('sending: the button says Submitting... and is disabled', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.holdResponses();
  await user.click(button);
  expect(await within(form).findByRole('button', { name: 'Submitting...' })).toBeDisabled();
  answer();
  expect(await within(form).findByRole('button', { name: 'Send Message' })).toBeEnabled();
});

test('sending: the fields are read-only', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.holdResponses();
  await user.click(button);
  await within(form).findByRole('button', { name: 'Submitting...' });
  for (const field of within(form).getAllByRole('textbox')) {
    await user.type(field, ' One more thing.');
    expect(field).toHaveAttribute('readonly');
    expect(field).toHaveFocus();
  }
  expect(readFields(form)).toEqual(validFields);
  answer();
  await within(form).findByRole('button', { name: 'Send Message' });
  await user.type(within(form).getByRole('textbox', { name: 'Message' }), 'One more thing.');
  expect(readFields(form)).toMatchObject({ Name: '', Message: 'One more thing.' });
});

test('sending: Enter keeps the focus in the field', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  const { shell, form } = await renderFilledIn();
  const company = within(form).getByRole('textbox', { name: 'Company (optional)' });
  const answer = site.holdResponses();
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

test('sending: success shows the service’s message and resets the form', async () => {
  site.respondWith({ status: 201, body: JSON.stringify({ message: 'We will write to you.' }) });
  const { shell, form, button } = await renderFilledIn();
  await user.click(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(shell.notify).toHaveBeenCalledTimes(1);
  expect(shell.notify).toHaveBeenCalledWith({ title: 'Success!', description: 'We will write to you.' });
  expect(Object.values(readFields(form))).toEqual(['', '', '', '']);
});

test('sending: a failure shows the reason and keeps the input', async () => {
  site.respondWith({ status: 429, body: 'Please wait a minute before you send another message.' });
  const { shell, form, button } = await renderFilledIn();
  await user.click(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(shell.notify).toHaveBeenCalledTimes(1);
  expect(shell.notify).toHaveBeenCalledWith({
    title: 'Error',
    description: '429: Please wait a minute before you send another message.',
    variant: 'destructive',
  });
  expect(readFields(form)).toEqual(validFields);
});

test.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
  'sending: without a network, the visitor reads what to do instead of “%s”',
  async (browserMessage) => {
    const { shell, form, button } = await renderFilledIn();
    jest.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError(browserMessage));
    await user.click(button);
    await waitFor(() => expect(shell.notify).toHaveBeenCalled());
    const description =
      'We could not reach our server. Check your internet connection, then try again: what you typed is still here.';
    expect(shell.notify).toHaveBeenCalledWith({ title: 'Error', description, variant: 'destructive' });
    expect(within(form).getByRole('status')).toHaveTextContent(description);
    expect(readFields(form)).toEqual(validFields);
  },
);

test('sending: an error without message shows a general one', async () => {
  const { shell, button } = await renderFilledIn();
  jest.spyOn(crypto, 'getRandomValues').mockImplementationOnce(() => {
    throw new Error('');
  });
  await user.click(button);
  await waitFor(() =>
    expect(shell.notify).toHaveBeenCalledWith({
      title: 'Error',
      description: 'Something went wrong. Please try again.',
      variant: 'destructive',
    }),
  );
});

test('sending: the visitor can retry after a failure', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  const { shell, form, button } = await renderFilledIn();
  await user.click(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalledTimes(1));
  site.respondWith({ status: 201, body: JSON.stringify({ message: 'Stored.' }) });
  await user.click(await within(form).findByRole('button', { name: 'Send Message' }));
  await waitFor(() =>
    expect(shell.notify).toHaveBeenLastCalledWith({ title: 'Success!', description: 'Stored.' }),
  );
  expect(site.requests).toHaveLength(2);
});

test('sending: a double click sends once', async () => {
  const { shell, button } = await renderFilledIn();
  await user.dblClick(button);
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(site.requests).toHaveLength(1);
});

test('sending: concurrent submits send once', async () => {
  const { shell, form } = await renderFilledIn();
  act(() => {
    fireEvent.submit(form);
    fireEvent.submit(form);
  });
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(site.requests).toHaveLength(1);
  expect(shell.notify).toHaveBeenCalledTimes(1);
});

test('sending: the focus returns to the re-enabled button', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.holdResponses();
  await user.click(button);
  await within(form).findByRole('button', { name: 'Submitting...' });
  // Browsers move the focus from a disabled button; jsdom does not.
  const field = within(form).getByRole('textbox', { name: 'Name' });
  act(() => field.focus());
  act(() => field.blur());
  expect(document.body).toHaveFocus();
  answer();
  await waitFor(() => expect(within(form).getByRole('button', { name: 'Send Message' })).toHaveFocus());
});

test('sending: the focus stays in a field that the visitor chose', async () => {
  const { form, button } = await renderFilledIn();
  const answer = site.holdResponses();
  await user.click(button);
  await within(form).findByRole('button', { name: 'Submitting...' });
  await user.click(within(form).getByRole('textbox', { name: 'Name' }));
  answer();
  await within(form).findByRole('button', { name: 'Send Message' });
  expect(within(form).getByRole('textbox', { name: 'Name' })).toHaveFocus();
});

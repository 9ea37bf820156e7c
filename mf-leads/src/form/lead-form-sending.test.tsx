import { fireEvent, waitFor, within } from '@testing-library/react';
import {
  readFields,
  renderFilledIn,
  renderSection,
  stubService,
  user,
  validFields,
} from '../testing/render-section.tsx';

const site = stubService();

test('sending: the fields are read-only', async () => {
  const { form, field, submit, sending, ready } = await renderFilledIn();
  const answer = site.holdResponses();
  await submit();
  await sending();
  for (const name of Object.keys(validFields)) {
    await user.type(field(name), ' One more thing.');
    expect(field(name)).toHaveAttribute('readonly');
    expect(field(name)).toHaveFocus();
  }
  expect(readFields(form)).toEqual(validFields);
  answer();
  await ready();
  await user.type(field('Message'), 'One more thing.');
  expect(readFields(form)).toMatchObject({ Name: '', Message: 'One more thing.' });
});

test('sending: presses before the logic has come, and during the request, send one lead', async () => {
  const { form, field, sending, notified } = renderSection();
  // Without the focus, which loads the logic.
  for (const [name, value] of Object.entries(validFields))
    fireEvent.input(field(name), { target: { value } });
  const answer = site.holdResponses();
  fireEvent.submit(form);
  fireEvent.submit(form);
  await sending();
  await waitFor(() => expect(site.requests).toHaveLength(1));
  fireEvent.submit(form);
  answer();
  await notified();
  expect(site.requests).toHaveLength(1);
});

test('sending: Enter keeps the focus in the field', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  const { field, sending, ready, notified } = await renderFilledIn();
  const company = field('Company (optional)');
  const answer = site.holdResponses();
  await user.type(company, '{Enter}');
  await sending();
  await user.keyboard(' & Sons');
  answer();
  await notified();
  await ready();
  expect(company).toHaveFocus();
  await user.keyboard(' Ltd');
  expect(company).toHaveValue('Analytical Engines Ltd');
});

test('sending: without a network, the visitor reads what to do, until the next press', async () => {
  const { shell, form, fill, submit, send } = await renderFilledIn();
  jest.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await send();
  const description =
    'We could not reach our server. Check your internet connection, then try again: what you typed is still here.';
  expect(shell.notify).toHaveBeenCalledWith({ title: 'Error', description, variant: 'destructive' });
  expect(within(form).getByRole('status')).toHaveTextContent(description);
  expect(readFields(form)).toEqual(validFields);
  await fill({ Email: 'ada' });
  await submit();
  expect(within(form).getByRole('status')).toBeEmptyDOMElement();
});

test('sending: an error without message shows a general one', async () => {
  const { shell, send } = await renderFilledIn();
  jest.spyOn(crypto, 'getRandomValues').mockImplementationOnce(() => {
    throw new Error('');
  });
  await send();
  const description = 'Something went wrong. Please try again.';
  expect(shell.notify).toHaveBeenCalledWith({ title: 'Error', description, variant: 'destructive' });
});

/** Refuses leads because of fields, as the service does. Returns the toast that shows it. */
function refuse(...fields: readonly string[]) {
  const errors = fields.map((field) => ({ field, message: `No such ${field}` }));
  const detail = `${errors.map(({ message }) => message).join('; ')}.`;
  const body = JSON.stringify({ type: 'urn:example', title: 'Invalid lead', status: 422, detail, errors });
  site.respondWith({ status: 422, contentType: 'application/problem+json', body });
  return { title: 'Error', description: `422: ${detail}`, variant: 'destructive' };
}

test('sending: errors of the service stand at their fields, those of none in the toast', async () => {
  const { shell, form, field, fill, send } = await renderFilledIn();
  const toast = refuse('submissionType', 'message', 'company', 'email', 'name');
  await send();
  expect(site.requests[0]?.headers['Accept']).toContain('application/problem+json');
  expect(shell.notify).toHaveBeenLastCalledWith(toast);
  expect(field('Name')).toHaveFocus();
  // The visitor may insist.
  await send();
  expect(site.requests).toHaveLength(2);
  for (const [label, text] of Object.entries(validFields)) {
    expect(field(label)).toBeInvalid();
    expect(field(label)).toHaveAccessibleDescription(`No such ${field(label).getAttribute('name')}`);
    await fill({ [label]: `a${text}` });
    expect(field(label)).toBeValid();
  }
  const other = refuse('submissionType');
  await send();
  expect(shell.notify).toHaveBeenLastCalledWith(other);
  expect(within(form).queryByRole('textbox', { name: /./, description: /No such/ })).not.toBeInTheDocument();
});

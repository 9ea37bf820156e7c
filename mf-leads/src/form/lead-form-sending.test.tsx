import { within } from '@testing-library/react';
import { readFields, renderSection, stubService, user, validFields } from '../testing/render-section.tsx';

const site = stubService();

async function renderFilledIn() {
  const section = renderSection();
  await section.fill();
  return section;
}

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

test('sending: without a network, the visitor reads what to do instead of the browser’s message', async () => {
  const { shell, form, submit, notified } = await renderFilledIn();
  jest.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await submit();
  await notified();
  const description =
    'We could not reach our server. Check your internet connection, then try again: what you typed is still here.';
  expect(shell.notify).toHaveBeenCalledWith({ title: 'Error', description, variant: 'destructive' });
  expect(within(form).getByRole('status')).toHaveTextContent(description);
  expect(readFields(form)).toEqual(validFields);
});

test('sending: an error without message shows a general one', async () => {
  const { shell, submit, notified } = await renderFilledIn();
  jest.spyOn(crypto, 'getRandomValues').mockImplementationOnce(() => {
    throw new Error('');
  });
  await submit();
  await notified();
  expect(shell.notify).toHaveBeenCalledWith({
    title: 'Error',
    description: 'Something went wrong. Please try again.',
    variant: 'destructive',
  });
});

import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { readFields, fillIn, validFields } from '../testing/fill-in.ts';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();
beforeAll(() => leadFormLogic.prefetch());
afterEach(() => jest.restoreAllMocks());

const user = userEvent.setup();
const halfDone = { Name: 'Ada', Email: 'ada@', 'Company (optional)': '', Message: 'We sign' };
const untouched = { Name: '', Email: '', 'Company (optional)': '', Message: '' };

function renderSection() {
  const shell = createShellStub(() => jest.fn());
  render(<CallToAction shell={shell} />);
  return shell;
}

const contactForm = () => screen.getByRole('form', { name: 'Ask us anything' });

async function openTrialForm() {
  await user.click(screen.getByRole('button', { name: 'Start Free Trial' }));
  return screen.getByRole('form', { name: 'Start your free trial' });
}

/** Simulates a reload, after which only stored data is left. */
function reload() {
  cleanup();
  return renderSection();
}

test('draft: is restored when the dialog is reopened', async () => {
  renderSection();
  await fillIn(user, await openTrialForm(), halfDone);
  await user.keyboard('{Escape}');
  expect(readFields(await openTrialForm())).toEqual(halfDone);
});

test('draft: is restored after a reload, per form', async () => {
  renderSection();
  await fillIn(user, contactForm(), halfDone);
  reload();
  expect(readFields(contactForm())).toEqual(halfDone);
  expect(readFields(await openTrialForm())).toEqual(untouched);
});

test('draft: an unsent lead is restored after a reload', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  const shell = renderSection();
  await fillIn(user, contactForm(), validFields);
  await user.click(screen.getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  reload();
  expect(readFields(contactForm())).toEqual(validFields);
});

test('draft: is deleted after sending', async () => {
  const shell = renderSection();
  await fillIn(user, contactForm(), validFields);
  expect(sessionStorage).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(sessionStorage).toHaveLength(0);
  reload();
  expect(readFields(contactForm())).toEqual(untouched);
});

test('dialog: reopened during a request, it cannot send twice', async () => {
  const shell = renderSection();
  const form = await openTrialForm();
  await fillIn(user, form, validFields);
  const answer = site.holdResponses();
  await user.click(within(form).getByRole('button', { name: 'Start Free Trial' }));
  await user.keyboard('{Escape}');
  const opened = await openTrialForm();
  expect(within(opened).getByRole('button', { name: 'Submitting...' })).toBeDisabled();
  answer();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(shell.notify).toHaveBeenCalledTimes(1);
  expect(site.requests).toHaveLength(1);
  expect(readFields(await openTrialForm())).toEqual(untouched);
});

test('dialog: reopened during a request, it is editable after a failure', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  const shell = renderSection();
  const form = await openTrialForm();
  await fillIn(user, form, validFields);
  const answer = site.holdResponses();
  await user.click(within(form).getByRole('button', { name: 'Start Free Trial' }));
  await user.keyboard('{Escape}');
  const opened = await openTrialForm();
  await user.type(within(opened).getByRole('textbox', { name: 'Message' }), ' One more thing.');
  expect(readFields(opened)).toEqual(validFields);
  answer();
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  await within(opened).findByRole('button', { name: 'Start Free Trial' });
  await fillIn(user, opened, { Name: 'Augusta' });
  expect(readFields(opened)).toEqual({ ...validFields, Name: 'Augusta' });
});

test('draft: without storage, the form works and stores nothing', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
  const shell = renderSection();
  await fillIn(user, contactForm(), validFields);
  await user.click(screen.getByRole('button', { name: 'Send Message' }));
  await waitFor(() =>
    expect(shell.notify).toHaveBeenCalledWith(expect.objectContaining({ title: 'Success!' })),
  );
  reload();
  expect(readFields(contactForm())).toEqual(untouched);
});

test.each(['no JSON', '[]', 'null', '{"name":7,"email":{},"message":null}'])(
  'the stored text %j does no harm',
  (stored) => {
    sessionStorage.setItem('lead-draft-contact', stored);
    renderSection();
    expect(readFields(contactForm())).toEqual(untouched);
  },
);

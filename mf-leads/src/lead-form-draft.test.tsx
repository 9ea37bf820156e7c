import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from './call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { createShellStub } from './shell-stub.ts';
import { fieldsOf, fillIn, rightFields } from './testing/fill-in.ts';
import { startSiteForEachTest } from './testing/start-site-for-each-test.ts';

const site = startSiteForEachTest();
beforeAll(() => leadFormLogic.prefetch());
afterEach(() => jest.restoreAllMocks());

const user = userEvent.setup();
const halfDone = { Name: 'Ada', Email: 'ada@', 'Company (optional)': '', Message: 'We sign' };
const untouched = { Name: '', Email: '', 'Company (optional)': '', Message: '' };

function renderSection() {
  const shell = createShellStub();
  render(<CallToAction shell={shell} />);
  return shell;
}

const contactForm = () => screen.getByRole('form', { name: 'Ask us anything' });

async function openTrialForm() {
  await user.click(screen.getByRole('button', { name: 'Start Free Trial' }));
  return screen.getByRole('form', { name: 'Start your free trial' });
}

/** What a reload leaves of the page: only what the browser has stored. */
function reload() {
  cleanup();
  return renderSection();
}

test('what was typed into a dialog is there when it is opened again', async () => {
  renderSection();
  await fillIn(user, await openTrialForm(), halfDone);
  await user.keyboard('{Escape}');
  expect(fieldsOf(await openTrialForm())).toEqual(halfDone);
});

test('what was typed is there after a reload, in its own form only', async () => {
  renderSection();
  await fillIn(user, contactForm(), halfDone);
  reload();
  expect(fieldsOf(contactForm())).toEqual(halfDone);
  expect(fieldsOf(await openTrialForm())).toEqual(untouched);
});

test('a lead that could not be sent is there after a reload', async () => {
  site.answerWith({ status: 503, body: 'Not now.' });
  const shell = renderSection();
  await fillIn(user, contactForm(), rightFields);
  await user.click(screen.getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  reload();
  expect(fieldsOf(contactForm())).toEqual(rightFields);
});

test('nothing is kept of a lead that was sent', async () => {
  const shell = renderSection();
  await fillIn(user, contactForm(), rightFields);
  expect(sessionStorage).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  expect(sessionStorage).toHaveLength(0);
  reload();
  expect(fieldsOf(contactForm())).toEqual(untouched);
});

test('a dialog that is closed and opened while its lead is on its way cannot send it twice', async () => {
  const shell = renderSection();
  const form = await openTrialForm();
  await fillIn(user, form, rightFields);
  const answer = site.hold();
  await user.click(within(form).getByRole('button', { name: 'Start Free Trial' }));
  await user.keyboard('{Escape}');
  const opened = await openTrialForm();
  expect(within(opened).getByRole('button', { name: 'Submitting...' })).toBeDisabled();
  answer();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(shell.notify).toHaveBeenCalledTimes(1);
  expect(site.requests).toHaveLength(1);
  expect(fieldsOf(await openTrialForm())).toEqual(untouched);
});

test('a dialog that is opened while its lead is on its way can be changed once sending has failed', async () => {
  site.answerWith({ status: 503, body: 'Not now.' });
  const shell = renderSection();
  const form = await openTrialForm();
  await fillIn(user, form, rightFields);
  const answer = site.hold();
  await user.click(within(form).getByRole('button', { name: 'Start Free Trial' }));
  await user.keyboard('{Escape}');
  const opened = await openTrialForm();
  await user.type(within(opened).getByRole('textbox', { name: 'Message' }), ' One more thing.');
  expect(fieldsOf(opened)).toEqual(rightFields);
  answer();
  await waitFor(() => expect(shell.notify).toHaveBeenCalled());
  await within(opened).findByRole('button', { name: 'Start Free Trial' });
  await fillIn(user, opened, { Name: 'Augusta' });
  expect(fieldsOf(opened)).toEqual({ ...rightFields, Name: 'Augusta' });
});

test('where storage is forbidden the form works, and keeps nothing', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
  const shell = renderSection();
  await fillIn(user, contactForm(), rightFields);
  await user.click(screen.getByRole('button', { name: 'Send Message' }));
  await waitFor(() =>
    expect(shell.notify).toHaveBeenCalledWith(expect.objectContaining({ title: 'Success!' })),
  );
  reload();
  expect(fieldsOf(contactForm())).toEqual(untouched);
});

test.each(['no JSON', '[]', 'null', '{"name":7,"email":{},"message":null}'])(
  'the stored text %j does no harm',
  (stored) => {
    sessionStorage.setItem('lead-draft-contact', stored);
    renderSection();
    expect(fieldsOf(contactForm())).toEqual(untouched);
  },
);

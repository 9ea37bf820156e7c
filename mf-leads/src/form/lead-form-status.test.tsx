import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { readFields, fillIn, validFields } from '../testing/fill-in.ts';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();
beforeAll(() => leadFormLogic.prefetch());
const user = userEvent.setup();
const thanks = 'Thank you, we have your message.';

const brokenNotices: readonly (readonly [what: string, notify: unknown])[] = [
  ['works', jest.fn()],
  ['is missing', undefined],
  ['is no function', 'notify'],
  [
    'throws',
    () => {
      throw new Error('No');
    },
  ],
];

let reported: jest.SpyInstance;
beforeEach(() => void (reported = jest.spyOn(console, 'error').mockImplementation(() => {})));
afterEach(() => void jest.restoreAllMocks());

function renderSection(notify: unknown) {
  render(<CallToAction shell={{ ...createShellStub(), notify: notify as ShellApi['notify'] }} />);
}

async function send(form: HTMLElement) {
  await fillIn(user, form, validFields);
  await user.click(within(form).getByRole('button'));
}

describe.each(brokenNotices)('while the notice of the page %s', (what, notify) => {
  afterEach(() => expect(reported).toHaveBeenCalledTimes(what === 'works' ? 0 : 1));

  test('the contact form confirms a stored lead and resets', async () => {
    renderSection(notify);
    const form = screen.getByRole('form', { name: 'Ask us anything' });
    expect(within(form).getByRole('status')).toBeEmptyDOMElement();
    await send(form);
    expect(await within(form).findByText(thanks)).toBe(within(form).getByRole('status'));
    expect(Object.values(readFields(form))).toEqual(['', '', '', '']);
  });

  test('the contact form shows why a lead was not stored, and keeps it', async () => {
    site.respondWith({ status: 503, body: 'Not now.' });
    renderSection(notify);
    const form = screen.getByRole('form', { name: 'Ask us anything' });
    await send(form);
    expect(await within(form).findByText('503: Not now.')).toBe(within(form).getByRole('status'));
    expect(readFields(form)).toEqual(validFields);
  });

  test('the section confirms a trial after its dialog has closed', async () => {
    renderSection(notify);
    await user.click(screen.getByRole('button', { name: 'Start Free Trial' }));
    await send(within(screen.getByRole('dialog')).getByRole('form'));
    expect(await screen.findByText(thanks)).toHaveAttribute('role', 'status');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

test('status: a new attempt clears the last outcome', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  renderSection(jest.fn());
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  await send(form);
  await within(form).findByText('503: Not now.');
  const answer = site.holdResponses();
  await user.click(within(form).getByRole('button'));
  await within(form).findByRole('button', { name: 'Submitting...' });
  expect(within(form).getByRole('status')).toBeEmptyDOMElement();
  answer();
  await within(form).findByText('503: Not now.');
});

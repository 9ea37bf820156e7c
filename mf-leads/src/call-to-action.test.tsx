import { loadFailureNotice } from '@countersign/contracts/shell-api';
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { openForm, renderSection, startSite, user } from './testing/render-section.tsx';

const site = startSite();

let mockIsLost = false;
jest.mock('./dialog/lead-dialog-panel.tsx', () => {
  if (mockIsLost) throw new Error('Loading chunk lead-dialog-panel failed.');
  return jest.requireActual('./dialog/lead-dialog-panel.tsx');
});

// First, because loaded code stays loaded.
test('dialog: if its code is lost, the visitor is told, and the next press opens it', async () => {
  mockIsLost = true;
  const reportError = jest.fn();
  Object.assign(globalThis, { reportError });
  const { shell } = renderSection();
  const opener = screen.getByRole('button', { name: 'Schedule Demo' });
  await user.click(opener);
  expect(shell.notify).toHaveBeenCalledWith(loadFailureNotice);
  expect(opener).toHaveAttribute('aria-expanded', 'false');
  expect(reportError).toHaveBeenCalledWith(new Error('Loading chunk lead-dialog-panel failed.'));
  mockIsLost = false;
  await user.click(opener);
  expect(screen.getByRole('dialog', { name: 'Schedule your demo' })).toBeInTheDocument();
});

test('section: has the anchor for navigation', () => {
  const { container } = renderSection();
  expect(container.querySelector('#contact')).toBe(
    screen.getByRole('region', { name: 'Have your first document signed today' }),
  );
});

test('section: lists the conditions of the trial', () => {
  renderSection();
  const promises = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(promises).toEqual(['30-day free trial', 'No credit card required', 'Setup in 5 minutes']);
});

test('section: its form sends a contact lead', async () => {
  const { shell, fill, submit, ready } = renderSection();
  await fill();
  await submit();
  await ready();
  expect(site.requests.map(({ path }) => path)).toEqual(['/api/contact']);
  expect(site.lead()).toEqual({
    name: 'Ada Byron',
    email: 'ada@example.com',
    company: 'Analytical Engines',
    message: 'We sign about forty contracts a month.',
    submissionType: 'contact',
    formToken: 'token-of-the-site',
    attribution: { page: '/', landingPage: '/', releaseId: 'r-000000000000' },
  });
  expect(shell.signIn).not.toHaveBeenCalled();
});

describe.each([
  { type: 'trial', button: 'Start Free Trial', title: 'Start your free trial' },
  { type: 'demo', button: 'Schedule Demo', title: 'Schedule your demo' },
] as const)('the button $button', ({ type, button, title }) => {
  test(`opens a dialog with the ${type} form and puts the focus into its first field`, async () => {
    renderSection();
    await user.click(screen.getByRole('button', { name: button }));
    const dialog = screen.getByRole('dialog', { name: title });
    expect(dialog).toHaveAccessibleDescription();
    expect(within(dialog).getByRole('form', { name: title })).toBeInTheDocument();
    expect(within(dialog).getByRole('textbox', { name: 'Name' })).toHaveFocus();
  });

  test('shows that it is pressed before it opens the dialog, also the second time', async () => {
    renderSection();
    const opener = screen.getByRole('button', { name: button });
    for (const [time] of ['first', 'second'].entries()) {
      // Outside of act(), React renders deferred updates later than urgent ones, as in a browser.
      Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
      opener.click();
      await Promise.resolve();
      expect(opener).toHaveAttribute('aria-expanded', 'true');
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
      Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
      await screen.findByRole('dialog', { name: title });
      if (time === 0) await user.keyboard('{Escape}');
    }
  });

  test('traps the focus', async () => {
    renderSection();
    await user.click(screen.getByRole('button', { name: button }));
    const dialog = screen.getByRole('dialog');
    const controls = [...within(dialog).getAllByRole('textbox'), ...within(dialog).getAllByRole('button')];
    for (const control of controls) {
      expect(control).toHaveFocus();
      await user.tab();
    }
    expect(controls[0]).toHaveFocus();
  });

  test.each([
    { how: 'Escape', close: () => user.keyboard('{Escape}') },
    { how: 'Close', close: () => user.click(screen.getByRole('button', { name: 'Close' })) },
  ])('gets the focus back when $how closes the dialog', async ({ close }) => {
    renderSection();
    await user.click(screen.getByRole('button', { name: button }));
    await close();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: button })).toHaveFocus();
  });

  test(`leads to a ${type} lead; the dialog closes when it is stored`, async () => {
    const { notified } = renderSection();
    const { fill, submit, sending } = await openForm(button);
    await fill();
    const answer = site.holdResponses();
    await submit();
    expect(await sending()).toBeDisabled();
    answer();
    expect(await screen.findByRole('button', { name: button })).toHaveFocus();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(site.requests.map((request) => request.path)).toEqual([`/api/${type}`]);
    expect(site.lead()).toMatchObject({ submissionType: type });
    await notified();
  });

  test('stays open if the lead is not stored', async () => {
    site.respondWith({ status: 503, body: 'Please try again in a minute.' });
    const { notified } = renderSection();
    const { form, fill, submit, ready } = await openForm(button);
    await fill();
    await submit();
    await ready();
    await notified();
    expect(form).toBeInTheDocument();
  });
});

test('dialog: a press on a toast keeps it open', async () => {
  renderSection();
  render(<button type="button">Dismiss the notice</button>);
  const notice = screen.getByRole('button', { name: 'Dismiss the notice' });
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  await userEvent.setup({ pointerEventsCheck: 0 }).click(notice);
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('dialog: a focused toast keeps it open, and the focus returns', async () => {
  renderSection();
  render(<button type="button">Dismiss the notice</button>);
  const notice = screen.getByRole('button', { name: 'Dismiss the notice' });
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  const name = within(screen.getByRole('dialog')).getByRole('textbox', { name: 'Name' });
  const focused = jest.fn();
  notice.addEventListener('focus', focused);
  act(() => notice.focus());
  expect(focused).toHaveBeenCalledTimes(1);
  expect(name).toHaveFocus();
});

test('dialog: a press outside closes it', async () => {
  renderSection();
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  const backdrop = screen.getByRole('dialog').parentElement;
  if (!backdrop) throw new Error('The dialog stands alone.');
  await user.click(backdrop);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

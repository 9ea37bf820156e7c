import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderSection, stubService, user } from './testing/render-section.tsx';

stubService();

test('fields: browsers can fill them in', () => {
  const fields = within(renderSection().form).getAllByRole<HTMLInputElement>('textbox');
  expect(fields.map(({ autocomplete }) => autocomplete)).toEqual(['name', 'email', 'organization', 'on']);
  expect(fields.map(({ type }) => type)).toEqual(['text', 'email', 'text', 'textarea']);
});

test('dialog: the button that was pressed last shows so before it opens, also the second time', async () => {
  renderSection();
  const other = screen.getByRole('button', { name: 'Start Free Trial' });
  const opener = screen.getByRole('button', { name: 'Schedule Demo' });
  for (const time of ['first', 'second']) {
    // Outside of act(), React renders deferred updates later than urgent ones, as in a browser.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
    for (const button of [other, opener]) button.click();
    await Promise.resolve();
    expect(opener).toHaveAttribute('aria-expanded', 'true');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    await screen.findByRole('dialog', { hidden: true });
    if (time === 'first') await user.keyboard('{Escape}');
  }
});

test('dialog: a toast that is focused or pressed keeps it open, and the focus returns', async () => {
  renderSection();
  render(<button type="button">Dismiss the toast</button>);
  const toast = screen.getByRole('button', { name: 'Dismiss the toast' });
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  const name = within(screen.getByRole('dialog')).getByRole('textbox', { name: 'Name' });
  const focused = jest.fn();
  toast.addEventListener('focus', focused);
  act(() => toast.focus());
  expect(focused).toHaveBeenCalledTimes(1);
  expect(name).toHaveFocus();
  await userEvent.setup({ pointerEventsCheck: 0 }).click(toast);
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('dialog: a press outside closes it', async () => {
  renderSection();
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  await user.click(screen.getByRole('dialog').parentElement ?? document.body);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

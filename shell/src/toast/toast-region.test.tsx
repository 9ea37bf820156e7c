import type { ToastMessage } from '@countersign/contracts/shell-api';
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { mainElementId } from '../page/element-ids.ts';
import { ToastRegion } from './toast-region.tsx';
import { createToastStore } from './toast-store.ts';

// jsdom does not implement pointer capture.
beforeAll(() => Object.assign(Element.prototype, { hasPointerCapture: () => false }));
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const saved: ToastMessage = { title: 'Success!', description: 'We will write to you.' };

function renderRegion() {
  const store = createToastStore();
  render(<ToastRegion store={store} />);
  return {
    user: userEvent.setup({ advanceTimers: jest.advanceTimersByTime }),
    notify: (toast: ToastMessage) => act(() => store.add(toast)),
  };
}

const region = () => screen.getByRole('region', { name: 'Notifications (F8)' });
const toasts = () => within(region()).queryAllByRole('listitem');

function wait(milliseconds: number) {
  act(() => void jest.advanceTimersByTime(milliseconds));
}

test('toast region: a failure has the destructive style', () => {
  const { notify } = renderRegion();
  notify({ title: 'Error', description: '503: Try again', variant: 'destructive' });
  expect(toasts()[0]).toHaveAttribute('data-variant', 'destructive');
});

test('toast region: screen readers announce a toast', () => {
  const { notify } = renderRegion();
  notify(saved);
  wait(50);
  const announcement = screen.getByRole('status');
  expect(announcement).toHaveTextContent('Success!');
  expect(announcement).toHaveTextContent('We will write to you.');
  expect(announcement).toHaveAttribute('aria-live', 'assertive');
});

describe('focus', () => {
  function renderWithField() {
    render(<input aria-label="Email" />);
    act(() => screen.getByRole('textbox').focus());
    return renderRegion();
  }
  const field = () => screen.getByRole('textbox');

  test('F8 without a toast does not move it', async () => {
    const { user, notify } = renderWithField();
    await user.keyboard('[F8]');
    expect(field()).toHaveFocus();
    notify(saved);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    act(() => field().focus());
    await user.keyboard('[F8]');
    expect(field()).toHaveFocus();
  });

  test.each(['{Escape}', '{Tab}{Enter}'])('it returns when %s closes the toast', async (keys) => {
    const { user, notify } = renderWithField();
    notify(saved);
    const dialogBehind = jest.fn<unknown, [KeyboardEvent]>();
    document.addEventListener('keydown', dialogBehind, { capture: true });
    await user.keyboard(`[F8]${keys}`);
    expect(toasts()).toEqual([]);
    expect(field()).toHaveFocus();
    expect(dialogBehind.mock.calls.map(([{ key }]) => key)).not.toContain('Escape');
  });

  test('it stays in the field when the toast closes by itself', () => {
    render(<main id={mainElementId} tabIndex={-1} />);
    const { notify } = renderWithField();
    notify(saved);
    wait(5000);
    expect(field()).toHaveFocus();
  });

  test('it moves to the toast that replaces the focused one, and returns from there', async () => {
    const { user, notify } = renderWithField();
    notify({ title: 'First' });
    await user.keyboard('[F8]');
    notify({ title: 'Second' });
    wait(50);
    expect(screen.getByText('Second').closest('li')).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(field()).toHaveFocus();
  });
});

test('toast region: a toast closes after five seconds', () => {
  const { notify } = renderRegion();
  notify(saved);
  wait(4999);
  expect(toasts()).toHaveLength(1);
  wait(1);
  expect(toasts()).toEqual([]);
});

test('toast region: the timer pauses while the toast has the focus', async () => {
  const { user, notify } = renderRegion();
  notify(saved);
  await user.keyboard('[F8]');
  wait(60_000);
  expect(toasts()).toHaveLength(1);
});

test('toast region: a replacing toast has a timer of its own', () => {
  const { notify } = renderRegion();
  notify({ title: 'First' });
  wait(4000);
  notify({ title: 'Second' });
  wait(4999);
  expect(toasts()).toHaveLength(1);
  wait(1);
  expect(toasts()).toEqual([]);
});

import { act, fireEvent, render, screen } from '@testing-library/react';
import { Overlays } from './overlays.tsx';
import { createToastStore } from './toast/toast-store.ts';

/** Whether the code of the toast region cannot be loaded. */
let mockIsLost = false;
jest.mock('./toast/toast-region.tsx', () => {
  if (mockIsLost) throw new Error('Loading chunk 61 failed.');
  return jest.requireActual('./toast/toast-region.tsx');
});

function renderOverlays() {
  const toasts = createToastStore();
  const onError = jest.fn();
  const loginNavigation = { subscribe: () => () => undefined, isPending: () => false, start: jest.fn() };
  render(
    <>
      <button type="button">Theme</button>
      <form>
        <input />
      </form>
      <Overlays loginNavigation={loginNavigation} toasts={toasts} onError={onError} />
    </>,
  );
  return { toasts, onError };
}

test('overlays: after a lost toast region, the next use of a form shows the toast', async () => {
  mockIsLost = true;
  const { toasts, onError } = renderOverlays();
  await act(async () => toasts.add({ title: 'Saved' }));
  expect(screen.queryByText('Saved')).not.toBeInTheDocument();
  expect(onError).toHaveBeenCalledWith(new Error('Loading chunk 61 failed.'));
  mockIsLost = false;
  await act(async () => void fireEvent.pointerDown(screen.getByRole('textbox')));
  expect(screen.getByText('Saved')).toBeInTheDocument();
});

test('overlays: the toast region loads when a form is used, not with a press elsewhere', async () => {
  renderOverlays();
  await act(async () => void fireEvent.pointerDown(screen.getByRole('button')));
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
  await act(async () => void fireEvent.focusIn(screen.getByRole('textbox')));
  expect(await screen.findByRole('region')).toBeInTheDocument();
});

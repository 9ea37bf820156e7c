import { act, fireEvent, render, screen } from '@testing-library/react';
import { Overlays } from './overlays.tsx';
import { createToastStore } from './toast/toast-store.ts';

let mockIsLost = true;
jest.mock('./toast/toast-region.tsx', () => {
  if (mockIsLost) throw new Error('Loading chunk 61 failed.');
  return jest.requireActual('./toast/toast-region.tsx');
});

test('overlays: if the toast region is lost, the next interaction shows the toast', async () => {
  const toasts = createToastStore();
  const onError = jest.fn();
  const loginNavigation = { subscribe: () => () => undefined, isPending: () => false, start: jest.fn() };
  render(<Overlays loginNavigation={loginNavigation} toasts={toasts} onError={onError} />);
  await act(async () => toasts.add({ title: 'Saved' }));
  expect(screen.queryByText('Saved')).not.toBeInTheDocument();
  expect(onError).toHaveBeenCalledWith(new Error('Loading chunk 61 failed.'));
  mockIsLost = false;
  await act(async () => void fireEvent.pointerDown(document.body));
  expect(screen.getByText('Saved')).toBeInTheDocument();
});

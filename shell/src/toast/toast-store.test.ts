import { createToastStore, dismissedToastRemovalDelay } from './toast-store.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('toasts: equal texts are separate toasts', () => {
  const store = createToastStore();
  store.add({ title: 'Saved' });
  const [first] = store.getToasts();
  store.add({ title: 'Saved' });
  const [second] = store.getToasts();
  expect(second?.id).not.toBe(first?.id);
});

test('toasts: a dismissed one closes at once and is removed 1,000,000 ms later', () => {
  const store = createToastStore();
  store.add({ title: 'Saved' });
  const id = store.getToasts()[0]?.id ?? NaN;

  store.dismiss(id);
  expect(store.getToasts()).toMatchObject([{ title: 'Saved', open: false }]);
  jest.advanceTimersByTime(999_999);
  expect(store.getToasts()).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(store.getToasts()).toEqual([]);
});

test('toasts: removing a dismissed one keeps the next one', () => {
  const store = createToastStore();
  store.add({ title: 'Old' });
  store.dismiss(store.getToasts()[0]?.id ?? NaN);
  store.add({ title: 'New' });
  jest.advanceTimersByTime(dismissedToastRemovalDelay);
  expect(store.getToasts()).toMatchObject([{ title: 'New', open: true }]);
});

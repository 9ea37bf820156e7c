import { createToastStore, dismissedToastRemovalDelay, visibleToasts } from './toast-store.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('the limits are those of the product: one toast at a time, removed 1,000,000 ms after it was dismissed', () => {
  expect(visibleToasts).toBe(1);
  expect(dismissedToastRemovalDelay).toBe(1_000_000);
});

test('a new toast takes the place of the one before it', () => {
  const store = createToastStore();
  store.add({ title: 'First' });
  store.add({ title: 'Second', description: 'More', variant: 'destructive' });
  expect(store.getToasts()).toEqual([
    { id: expect.any(Number), open: true, title: 'Second', description: 'More', variant: 'destructive' },
  ]);
});

test('two toasts with the same words are two toasts', () => {
  const store = createToastStore();
  store.add({ title: 'Saved' });
  const [first] = store.getToasts();
  store.add({ title: 'Saved' });
  const [second] = store.getToasts();
  expect(second?.id).not.toBe(first?.id);
});

test('a dismissed toast is closed at once and removed 1,000,000 ms later', () => {
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

test('the removal of a dismissed toast does not touch the one that came after it', () => {
  const store = createToastStore();
  store.add({ title: 'Old' });
  store.dismiss(store.getToasts()[0]?.id ?? NaN);
  store.add({ title: 'New' });
  jest.advanceTimersByTime(dismissedToastRemovalDelay);
  expect(store.getToasts()).toMatchObject([{ title: 'New', open: true }]);
});

test('a subscriber hears of every change until it leaves, and the list stays the same in between', () => {
  const store = createToastStore();
  const listener = jest.fn();
  const leave = store.subscribe(listener);
  store.add({ title: 'Saved' });
  expect(listener).toHaveBeenCalledTimes(1);
  expect(store.getToasts()).toBe(store.getToasts());

  store.dismiss(store.getToasts()[0]?.id ?? NaN);
  expect(listener).toHaveBeenCalledTimes(2);
  jest.advanceTimersByTime(dismissedToastRemovalDelay);
  expect(listener).toHaveBeenCalledTimes(3);

  leave();
  store.add({ title: 'Unheard' });
  expect(listener).toHaveBeenCalledTimes(3);
});

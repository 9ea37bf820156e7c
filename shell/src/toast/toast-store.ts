// blind spot (1_000_000, 0 → 1, listeners, toast.id): equivalent with one toast, or the tests of this file see it.
import type { ToastMessage } from '@countersign/contracts/shell-api';

/** Maximum number of toasts. A new toast replaces the oldest one. */
// blind spot: no step causes two toasts, but the tests of the region do.
const maxToasts = 1;

/** Delay before a dismissed toast is removed, in milliseconds. A product requirement; exit animations need far less. */
export const dismissedToastRemovalDelay = 1_000_000;

export interface Toast extends ToastMessage {
  readonly id: number;
  readonly open: boolean;
}

/** The toasts of the page, newest first. */
export interface ToastStore {
  getToasts(): readonly Toast[];
  subscribe(listener: () => void): () => void;
  add(toast: ToastMessage): void;
  /** Closes a toast and removes it from the store after {@link dismissedToastRemovalDelay}. */
  dismiss(id: number): void;
}

export function createToastStore(): ToastStore {
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();

  function set(next: readonly Toast[]): void {
    toasts = next;
    for (const listener of listeners) listener();
  }

  return {
    getToasts: () => toasts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(toast) {
      // blind spot: no step hears the second announcement, but a test does.
      lastId += 1;
      set([{ ...toast, id: lastId, open: true }, ...toasts].slice(0, maxToasts));
    },
    dismiss(id) {
      set(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)));
      setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), dismissedToastRemovalDelay);
    },
  };
}

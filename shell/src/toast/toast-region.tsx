import * as RadixToast from '@radix-ui/react-toast';
import { useRef, useSyncExternalStore } from 'react';
import { useFocusPastDialogs } from './use-focus-past-dialogs.ts';
import type { ToastStore } from './toast-store.ts';
import styles from './toast-region.module.css';

const autoCloseAfter = 5000;
const swipeThreshold = 50;

/** Where notices appear and are announced. F8 moves the focus here; a swipe to the right dismisses. */
export function ToastRegion({ store }: { readonly store: ToastStore }) {
  const frame = useRef<HTMLDivElement>(null);
  useFocusPastDialogs(frame);
  const toasts = useSyncExternalStore(store.subscribe, store.getToasts);
  return (
    <RadixToast.Provider duration={autoCloseAfter} swipeDirection="right" swipeThreshold={swipeThreshold}>
      {toasts.map(({ id, open, title, description, variant = 'default' }) => (
        <RadixToast.Root
          key={id}
          open={open}
          onOpenChange={(next) => next || store.dismiss(id)}
          className={styles.toast}
          data-variant={variant}
        >
          <div>
            <RadixToast.Title className={styles.title}>{title}</RadixToast.Title>
            {description ? (
              <RadixToast.Description className={styles.description}>{description}</RadixToast.Description>
            ) : null}
          </div>
          <RadixToast.Close className={styles.close} aria-label="Close">
            <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
              <path d="M6 6l12 12M18 6L6 18" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
            </svg>
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      {/* Dialogs hide the rest of the page from assistive technology, but nothing that has `aria-live`. Each toast is
          announced by an element of its own: this one stays silent. */}
      <div ref={frame} aria-live="off">
        <RadixToast.Viewport className={styles.region} />
      </div>
    </RadixToast.Provider>
  );
}

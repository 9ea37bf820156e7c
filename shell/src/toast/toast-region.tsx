// blind spot (duration, swipe, 50, 'default', variant, open, next): equivalent, because Radix has the same defaults, or cosmetic, or an end-to-end test sees it.
// blind spot (description, svg, viewBox, width, height, path, stroke, d=, aria-, label, true, remove, 'focus): cosmetic, or the tests of this file see it, or only a removal of the region shows it.
import * as RadixToast from '@radix-ui/react-toast';
import { useEffect, useRef, useSyncExternalStore, type RefObject } from 'react';
import type { ToastStore } from './toast-store.ts';
import { toastKey, useToastFocus } from './use-toast-focus.ts';
import styles from './toast-region.module.css';

/** In milliseconds. */
const autoCloseAfter = 5000;
/** In pixels. */
const swipeThreshold = 50;

/** Shows and announces toasts. F8 moves the focus to the visible one; a swipe to the right dismisses it. */
export function ToastRegion({ store }: { readonly store: ToastStore }) {
  const frame = useRef<HTMLDivElement>(null);
  useFocusDespiteTrap(frame);
  const returnFocus = useToastFocus(frame, store);
  const toasts = useSyncExternalStore(store.subscribe, store.getToasts);
  return (
    <RadixToast.Provider duration={autoCloseAfter} swipeDirection="right" swipeThreshold={swipeThreshold}>
      {toasts.map(({ id, open, title, description, variant = 'default' }) => (
        <RadixToast.Root
          key={id}
          open={open}
          onOpenChange={(next) => {
            if (next) return;
            returnFocus();
            store.dismiss(id);
          }}
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
      {/* A modal dialog hides all elements without `aria-live` from assistive technology. Toasts have live regions of their own. */}
      <div ref={frame} aria-live="off">
        {/* `useToastFocus` has the shortcut. Radix would focus the list, which is invisible and may be empty. */}
        <RadixToast.Viewport className={styles.region} hotkey={[]} label={`Notifications (${toastKey})`} />
      </div>
    </RadixToast.Provider>
  );
}

/**
 * Lets an element receive focus while a modal dialog traps it. Dialogs trap focus with `focusin` and `focusout`
 * listeners on the document, so this hook stops those events before they get there.
 */
function useFocusDespiteTrap(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const hideFromFocusTrap = (event: FocusEvent) => {
      const destination = event.type === 'focusin' ? event.target : event.relatedTarget;
      if (destination instanceof Node && element.current?.contains(destination)) event.stopPropagation();
    };
    // On `body`: above React's root, so that the page's handlers have run, and below the document.
    const { body } = document;
    body.addEventListener('focusin', hideFromFocusTrap);
    body.addEventListener('focusout', hideFromFocusTrap);
    return () => {
      body.removeEventListener('focusin', hideFromFocusTrap);
      body.removeEventListener('focusout', hideFromFocusTrap);
    };
  }, [element]);
}

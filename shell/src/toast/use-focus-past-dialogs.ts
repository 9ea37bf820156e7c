import { useEffect, type RefObject } from 'react';

/**
 * Lets the focus into an element while a modal dialog traps it. Dialogs listen on the document for the focus leaving
 * them, and fetch it back; what goes into the element is kept from the document.
 */
export function useFocusPastDialogs(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const keepFromDialogs = (event: FocusEvent) => {
      const destination = event.type === 'focusin' ? event.target : event.relatedTarget;
      if (destination instanceof Node && element.current?.contains(destination)) event.stopPropagation();
    };
    // Above React's own root, so that the page's handlers have run, and below the document.
    const { body } = document;
    body.addEventListener('focusin', keepFromDialogs);
    body.addEventListener('focusout', keepFromDialogs);
    return () => {
      body.removeEventListener('focusin', keepFromDialogs);
      body.removeEventListener('focusout', keepFromDialogs);
    };
  }, [element]);
}

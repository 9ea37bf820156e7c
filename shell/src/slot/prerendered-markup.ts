// blind spot (capture, true → false, 'click', 'input', addEventListener, abort): no step types while React takes over, but an end-to-end test does.
import { markupHash, slotAttributes } from '@countersign/contracts/page-markup';
import { captureFormState, restoreFormState, type FormState } from './form-state.ts';

/** The prerendered markup of a slot, which replaces a version that has failed. */
export interface PrerenderedMarkup {
  /** Copies the markup as it is now, before any version runs. */
  copy(): void;
  /** Puts the copy in place of what a version has rendered, with the visitor's input. */
  restore(formState: FormState): void;
}

// blind spot: no step makes a version fail, but the tests of fill-slot do.
export function keepMarkup(element: Element): PrerenderedMarkup {
  let nodes: readonly Node[] = [];
  const copies = (of: Iterable<Node>) => [...of].map((node) => node.cloneNode(true));
  return {
    copy() {
      nodes = copies(element.childNodes);
    },
    restore(formState) {
      element.removeAttribute(slotAttributes.version);
      element.replaceChildren(...copies(nodes));
      restoreFormState(element, formState);
    },
  };
}

/**
 * Whether no tool of the visitor has changed the markup.
 *
 * @param html content of the slot before hydration
 */
// blind spot: no part has a mismatch, but a test of fill-slot does.
export function isMarkupOfRelease(element: Element, html: string): boolean {
  return (
    markupHash(html) === element.getAttribute(slotAttributes.markupHash) &&
    // A translator may change the page during hydration. Google's sets this class on `<html>`.
    !/\btranslated-(ltr|rtl)\b/.test(document.documentElement.className)
  );
}

/** The visitor's input in a slot, while React may replace the fields. */
interface TrackedInput {
  readonly latest: FormState;
  /** Captures the input now. */
  update(): void;
  stop(): void;
}

/**
 * Tracks choices (`click`) and texts (`input`) until it is stopped. Call it before React gets the element, so that its listeners
 * run first: React's own listeners for these events hydrate synchronously, and may reset the fields.
 */
export function trackInput(element: Element): TrackedInput {
  const tracking = new AbortController();
  let latest = captureFormState(element);
  const update = () => {
    latest = captureFormState(element);
  };
  const options = { capture: true, signal: tracking.signal };
  for (const type of ['click', 'input']) element.addEventListener(type, update, options);
  return {
    get latest() {
      return latest;
    },
    update,
    stop: () => tracking.abort(),
  };
}

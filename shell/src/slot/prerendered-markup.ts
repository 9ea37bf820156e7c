import { markupHash, slotAttributes } from '@countersign/contracts/slot-markup';
import { laidOutAttribute } from '../page/element-ids.ts';
import { captureFormState, restoreFormState, type FormState } from './form-state.ts';

/** The prerendered markup of a slot, which comes back whenever a version fails. */
export interface PrerenderedMarkup {
  /** Copies the markup as it is now, before any version runs. */
  copy(): void;
  /** Puts the copy in place of what a version has rendered, with the visitor's input. */
  restore(formState: FormState): void;
}

export function keepMarkup(element: Element): PrerenderedMarkup {
  let nodes: readonly Node[] = [];
  const copies = (of: Iterable<Node>) => [...of].map((node) => node.cloneNode(true));
  return {
    copy() {
      nodes = copies(element.childNodes);
    },
    restore(formState) {
      element.removeAttribute(slotAttributes.version);
      forgetHeight(element);
      element.replaceChildren(...copies(nodes));
      restoreFormState(element, formState);
    },
  };
}

/** Lays out new content wherever the window is, because the browser does not know its height. */
export function forgetHeight(element: Element): void {
  element.removeAttribute(laidOutAttribute);
}

/** Whether markup was that of the release when its hydration began, and nothing translates the page. */
export function isMarkupOfRelease(element: Element, hydrated: string): boolean {
  return (
    markupHash(hydrated) === element.getAttribute(slotAttributes.markupHash) &&
    !/\btranslated-(ltr|rtl)\b/.test(document.documentElement.className)
  );
}

/** The visitor's input in a slot, tracked while React may replace the fields. */
interface TrackedInput {
  readonly latest: FormState;
  update(): void;
  stop(): void;
}

/**
 * Tracks input until hydration has finished, because hydration is asynchronous. A click or key press makes React hydrate
 * synchronously, in a listener that must run after this one.
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

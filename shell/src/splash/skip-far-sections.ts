import { slotAttributes } from '@countersign/contracts/slot-markup';
import { lazyLayoutAttribute } from '../page/element-ids.ts';
import { layOutInSteps, whenIdle } from './lay-out-in-steps.ts';

/**
 * Attribute of the root element, for `page.css`: the browser knows the heights of all sections, so it may skip those far from the
 * window. Missing until then, while sizes change, and from the time when every section was on screen.
 */
const heightsKnownAttribute = 'data-heights-known';

/**
 * Lays out the sections whose layout the page has deferred, in steps, when the parts that load early are hydrated. Then lets the
 * browser skip sections far from the window (`content-visibility`), at their real heights. A change of the window's width or of
 * the text's size interrupts that until the new heights are known. It ends when every section was on screen, because a picture
 * of the whole page would otherwise show skipped sections empty. Call it once per page, after the slots have begun to fill.
 */
export function skipFarSections(): void {
  const root = document.documentElement;
  // In `main`, and after it, such as the footer. A slot has no box of its own; its children have.
  const selector = `main [${slotAttributes.remote}], main ~ [${slotAttributes.remote}]`;
  const slots = [...document.querySelectorAll(selector)];
  // Sections that were not on screen yet. Nothing is skipped once it is empty.
  const unseen = new Set(slots.flatMap((slot) => [...slot.children]));
  const skip = () => {
    if (unseen.size > 0) root.setAttribute(heightsKnownAttribute, '');
  };
  // If the page has deferred the layout, the steps now decide what is laid out, not the window.
  if (root.hasAttribute(lazyLayoutAttribute)) root.setAttribute(lazyLayoutAttribute, 'steps');
  layOutInSteps(slots, () => {
    root.removeAttribute(lazyLayoutAttribute);
    // Fonts change heights.
    void document.fonts.ready.then(() => whenHeightsAreKnown(skip));
  });
  watchSizes(() => {
    // Heights that are not known yet cannot change. The observer calls back when it begins, too.
    if (!root.hasAttribute(heightsKnownAttribute)) return;
    root.removeAttribute(heightsKnownAttribute);
    whenHeightsAreKnown(skip);
  });
  watchSections(unseen, () => whenIdle(() => root.removeAttribute(heightsKnownAttribute)));
}

/** Calls back when the browser has recorded the heights, which it does at the end of a frame (`contain-intrinsic-height: auto`). */
function whenHeightsAreKnown(then: () => void): void {
  const whenNotTyping = () => {
    // WebKit may lose the place of the caret when sections are skipped.
    if (document.activeElement?.matches('input, textarea'))
      addEventListener('focusout', () => whenHeightsAreKnown(then), { once: true });
    else then();
  };
  requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(whenNotTyping)));
}

/** Calls back when the width of the window, the visitor's font size or the text spacing changes. */
function watchSizes(onChange: () => void): void {
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    onChange();
  });
  // The skip link's size depends on the text alone. No event tells that the size of the text changes.
  const skipLink = document.querySelector('.skip-link');
  if (skipLink) new ResizeObserver(onChange).observe(skipLink);
}

/** Removes each section from the set when it is on screen, and calls back when there is none left. */
function watchSections(unseen: Set<Element>, onAllSeen: () => void): void {
  // Some privacy tools remove this class.
  if (!('IntersectionObserver' in window)) return;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) unseen.delete(target);
    if (unseen.size > 0) return;
    observer.disconnect();
    onAllSeen();
  });
  for (const section of unseen) observer.observe(section);
}

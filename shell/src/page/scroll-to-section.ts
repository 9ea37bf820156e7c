/**
 * Scrolls to an element and moves the focus to it, so that the next Tab continues from there. Returns false if
 * the element does not exist.
 */
export function scrollToSection(id: string): boolean {
  const section = document.getElementById(id);
  if (!section) return false;
  // blind spot: cosmetic, how it scrolls.
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section.scrollIntoView({ behavior: prefersReducedMotion ? 'auto' : 'smooth' });
  // Parts write it into their markup, because React's development build reports what is added before hydration.
  if (!section.hasAttribute('tabindex')) section.tabIndex = -1;
  section.focus({ preventScroll: true });
  return true;
}

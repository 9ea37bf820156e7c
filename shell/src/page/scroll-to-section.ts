/** Scrolls to an element and moves the focus to it, so that the next Tab continues from there. Returns false if it does not exist. */
// blind spot (return, !section, tabindex, false → true, true → false, 1 → 2, smooth, Motion): no step reads the result, but tests do; how it scrolls is cosmetic.
export function scrollToSection(id: string): boolean {
  const section = document.getElementById(id);
  if (!section) return false;
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section.scrollIntoView({ behavior: prefersReducedMotion ? 'auto' : 'smooth' });
  // Parts write it into their markup, because React's development build reports what is added before hydration.
  if (!section.hasAttribute('tabindex')) section.tabIndex = -1;
  section.focus({ preventScroll: true });
  return true;
}

import { lazyLayoutAttribute } from '../page/element-ids.ts';

/**
 * Begins the layout with the first screen, so that neither the first paint nor hydration waits for the whole page. Not where the
 * browser scrolls while it loads, because that needs the final height of the sections. Not in a hidden tab, which
 * paints nothing. Everything is laid out as soon as the page scrolls: scroll positions and targets are wrong as long as heights
 * are guesses.
 */
function deferSectionLayout(lazy: string): void {
  const root = document.documentElement;
  const [navigation] = performance.getEntriesByType('navigation');
  if (navigation?.type !== 'navigate' || location.hash || document.hidden) return;
  root.setAttribute(lazy, '');
  const layOut = () => {
    if (!root.hasAttribute(lazy)) return;
    const isAtEnd = scrollY > 0 && scrollY + innerHeight > root.scrollHeight - 1;
    const focused = document.querySelector(':focus');
    const box = focused?.getBoundingClientRect();
    root.removeAttribute(lazy);
    // The browser scrolls to where a guess has put the section, the end of the page or the element that gets the focus.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    else if (isAtEnd) scrollTo({ top: root.scrollHeight, behavior: 'instant' });
    if (box && box.bottom > 0 && box.top < innerHeight)
      focused?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  };
  addEventListener('scroll', layOut, { once: true, passive: true });
  addEventListener('hashchange', layOut);
}

/** Inline script at the top of the page. The function must not use anything outside its body. */
export const deferSectionLayoutScript = `(${deferSectionLayout})("${lazyLayoutAttribute}")`;

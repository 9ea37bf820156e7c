import { newSightings, type PageRule } from './page-rule.ts';

/** A window of 320 px shows everything without scrolling sideways, as WCAG 2.2 asks for (reflow). */
export const sidewaysScroll: PageRule = {
  name: 'sideways scroll',
  visitors: ['phone'],
  async see(visit, { remotes, shell }, live) {
    const owners = shell === undefined ? [...remotes.keys()] : undefined;
    const sightings = await newSightings(visit, live, ({ world }) =>
      world.run(contentTooWide, owners ?? null),
    );
    const [widest] = sightings;
    return widest ? [{ text: `does not fit into a window of 320 px: ${widest.text}` }] : [];
  },
};

/** Runs in the page: the content that makes it scroll sideways, or is cut off at the edges of the window. */
function contentTooWide(remotes: readonly string[] | null) {
  const { clientWidth, scrollWidth } = document.documentElement;
  const shape =
    'p, li, h1, h2, h3, h4, td, th, dt, dd, a, button, input, select, textarea, label, img, svg, pre, code, span, div';
  const sightings = [...document.querySelectorAll(shape)].flatMap((element) => {
    const remote = element.closest<HTMLElement>('[data-remote]')?.dataset['remote'];
    if (remotes && !remotes.includes(remote ?? '')) return [];
    const { left, right, width } = element.getBoundingClientRect();
    const text = element.textContent.trim();
    const isShown = width > 1 && text !== '' && element.checkVisibility({ visibilityProperty: true });
    if (!isShown || (left >= -1 && right <= clientWidth + 1)) return [];
    if (element.closest('[aria-hidden="true"], [inert]')) return [];
    // What scrolls or is cut off inside its own box, such as a carousel, may be anywhere.
    for (let box = element.parentElement; box?.closest('[data-remote]'); box = box.parentElement) {
      const edges = box.getBoundingClientRect();
      const isInside = edges.left >= -1 && edges.right <= clientWidth + 1 && edges.width > 0;
      if (isInside && getComputedStyle(box).overflowX !== 'visible') return [];
    }
    const name = `${element.localName} "${text.slice(0, 40)}"`;
    return [
      {
        key: `${remote ?? 'shell'} ${name}`,
        text: `${name} reaches from ${Math.round(left)} to ${Math.round(right)} px`,
      },
    ];
  });
  if (sightings.length > 0 || scrollWidth <= clientWidth) return sightings;
  return [{ key: 'the page', text: `the page is ${scrollWidth} px wide` }];
}

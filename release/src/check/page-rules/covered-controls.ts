import { summarizeList } from '../summarize-list.ts';
import { newSightings, type PageRule } from './page-rule.ts';

/** A click on a control reaches it, wherever it is on the page. */
export const coveredControls: PageRule = {
  name: 'covered controls',
  visitors: ['desktop', 'phone'],
  async see(visit, _subject, live) {
    const sightings = await newSightings(visit, live, ({ world }) => world.run(controlsUnderOthers));
    if (sightings.length === 0) return [];
    return [{ text: `has or causes dead controls: ${summarizeList(sightings.map(({ text }) => text))}` }];
  },
};

/** Runs in the page: the controls whose centre belongs to another element. */
function controlsUnderOthers() {
  const teamOf = (element: Element) =>
    element.closest<HTMLElement>('[data-remote]')?.dataset['remote'] ?? 'shell';
  const nameOf = (element: Element) => {
    const label =
      element.textContent.trim() || element.getAttribute('aria-label') || element.getAttribute('name');
    return `${element.localName} "${(label ?? '').slice(0, 40)}" of ${teamOf(element)}`;
  };
  const controls = 'a[href], button, input, select, textarea, summary, [role="button"], [role="link"]';
  const covered = [...document.querySelectorAll<HTMLElement>(controls)].flatMap((control) => {
    if (control.matches(':disabled') || control.closest('[inert], [aria-hidden="true"]')) return [];
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = control.getClientRects()[0] ?? control.getBoundingClientRect();
    // Controls that only screen readers find have no size.
    if (width <= 1 || height <= 1) return [];
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    // Such as a skip link, which is outside of the window until it has the focus.
    if (!hit) return [];
    const isReached = control.contains(hit) || hit.closest('label')?.control === control;
    if (isReached) return [];
    // A link around a whole card, or a label over its field.
    if (hit.contains(control) && getComputedStyle(control).pointerEvents !== 'none') return [];
    const name = nameOf(control);
    return [{ key: name, text: `${name} is under ${hit.localName} of ${teamOf(hit)}` }];
  });
  scrollTo({ top: 0, left: 0, behavior: 'instant' });
  return covered;
}

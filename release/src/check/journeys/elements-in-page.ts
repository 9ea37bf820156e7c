// The functions of this file run in the page, so each refers to nothing outside of itself.

/** Why a person cannot see the first element that is shown. Scrolls to it if a person would have to. */
export function whyUnseen(
  elements: readonly Element[],
  { theme, icon = '' }: { readonly theme?: 'light' | 'dark' | undefined; readonly icon?: string | undefined },
): string | undefined {
  const element = elements.find((each) =>
    each.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  // It may fade in once it is in the window.
  if (!element) elements[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (!element) return elements.length === 0 ? 'it is not there' : 'it is hidden';
  const slotOrDialog = (each: Element) => each.closest('[role="dialog"], dialog, [data-exposed]') ?? each;
  const findObstacle = () => {
    const { left, right, top, bottom } = element.getClientRects()[0] ?? element.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2) return 'it has no size';
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const hit = document.elementFromPoint(x, y);
    if (!hit) return `it is outside of the window, at ${Math.round(left)}, ${Math.round(top)}`;
    // Elements of one slot or dialog may overlap. An element that ignores the pointer is never hit.
    const isFree =
      element.contains(hit) || hit.contains(element) || slotOrDialog(hit) === slotOrDialog(element);
    if (isFree || getComputedStyle(element).pointerEvents === 'none') return undefined;
    return `it is covered by ${hit.localName} "${hit.textContent.trim().slice(0, 40)}"`;
  };
  if (findObstacle() !== undefined) element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const why = findObstacle();
  if (why !== undefined) return why;
  if (!element.innerHTML.includes(icon)) return 'it does not show the icon';

  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) return 'its colours cannot be measured';
  const paintAndMeasure = (color: string) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  };
  // The backgrounds behind the element over each other, and then its text.
  const styles = [getComputedStyle(element)];
  for (let box = element.parentElement; box; box = box.parentElement) styles.unshift(getComputedStyle(box));
  const colors = ['white', ...styles.map((each) => each.backgroundColor), getComputedStyle(element).color];
  const [background = 0, text = 0] = colors.map(paintAndMeasure).slice(-2);
  const isPlain = styles.every(({ backgroundImage }) => backgroundImage === 'none');
  if (isPlain && Math.abs(text - background) < 0.05 && element.textContent.trim() !== '') {
    return 'its text has the colour of its background';
  }
  if (theme === undefined || theme === (background < 0.5 ? 'dark' : 'light')) return undefined;
  return `it is not drawn in the ${theme} theme`;
}

/**
 * Ticks the box of a consent in the form of an element. No journey names it, because the operator writes its text.
 *
 * @param consent the `consentAttribute`
 */
export function tickConsent(element: Element, consent: string): void {
  const box = element.closest('form')?.querySelector<HTMLInputElement>(`[${consent}] input`);
  if (box) box.checked = true;
}

/** Why no person can scroll to an element. */
export function whyOutOfReach(element: Element): string | undefined {
  const { top, height } = element.getBoundingClientRect();
  // Programs can scroll a box that hides what does not fit into it.
  for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
    const edges = box.getBoundingClientRect();
    const isOutside = Math.abs(top + height / 2 - (edges.top + edges.bottom) / 2) > edges.height / 2;
    if (isOutside && /hidden|clip/.test(getComputedStyle(box).overflowY)) return 'it is cut off by its box';
  }
  return undefined;
}

/** The element that a person presses to choose an option: its label, because the option itself may be invisible. */
export const labelOf = (option: HTMLElement) => (option as Partial<HTMLInputElement>).labels?.[0] ?? option;

/** Why an option is not chosen. A menu may close with the choice, if it was pressed. */
export async function whyNotChosen(
  [option]: readonly Element[],
  { runsScripts, isPressed = false }: { readonly runsScripts: boolean; readonly isPressed?: boolean },
): Promise<string | undefined> {
  // A choice that the page sets back shows as one for a moment. Without scripts, nothing waits for frames.
  if (runsScripts) await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const isChosen = option?.matches(':checked, [aria-checked="true"], [aria-selected="true"]') ?? isPressed;
  // An option that is gone may have been replaced, so it is polled again.
  if (isChosen && option?.isConnected !== false) return undefined;
  return isPressed ? 'it is not chosen after it was pressed' : 'it is not chosen';
}

/** Why a field does not hold a text. */
export function whyOtherValue([field]: readonly Element[], text: string): string | undefined {
  if (!field) return 'it is not there';
  const { value = '' } = field as Partial<HTMLInputElement>;
  return value === text ? undefined : `it holds ${JSON.stringify(value)}`;
}

/** Why the focus is not on one of the elements. */
export function whyUnfocused(elements: readonly Element[]): string | undefined {
  const focused = document.activeElement ?? document.body;
  if (elements.some((each) => each.contains(focused))) return undefined;
  if (focused === document.body) return 'the focus is on nothing';
  const name = focused.getAttribute('aria-label') ?? focused.textContent.trim().slice(0, 40);
  return `the focus is on ${focused.localName} "${name}"`;
}

/**
 * Why a person has not arrived at the top of the page, or at a section: neither its start nor its heading is free, and as far up as the
 * page can scroll.
 */
export function whyOutOfPlace(id: string): string | undefined {
  if (id === 'top') return scrollY < 1 ? undefined : `the page is scrolled by ${Math.round(scrollY)} px`;
  const section = document.getElementById(id);
  if (!section) return `the page has no section "${id}"`;
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  const isAtEnd = scrollHeight - clientHeight - scrollTop < 1;
  const hasArrived = [section, section.querySelector('h1, h2, h3') ?? section].some((element) => {
    const { left, top, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + 4, top + Math.min(height / 2, 20));
    return section.contains(hit) && (isAtEnd || top < clientHeight / 2);
  });
  if (hasArrived) return undefined;
  const { top } = section.getBoundingClientRect();
  return `the section "${id}" begins ${Math.round(top)} px below the top of the window, or is covered there`;
}

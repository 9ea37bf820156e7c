// The functions of this file run in the page, so each refers to nothing outside of itself.

/** Why a person cannot see or press the first visible element. Scrolls to it if a person would have to. */
export async function whyUnseen(
  elements: readonly Element[],
  { use, theme }: { readonly use: 'see' | 'press' | 'choose'; readonly theme?: string | undefined },
): Promise<string | undefined> {
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const nameOf = (element: Element) =>
    `${element.localName} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`;
  // In a page without scripts, `requestAnimationFrame` never calls back.
  const isPlain = matchMedia('(scripting: none)').matches;
  const nextFrame = () =>
    isPlain ? Promise.resolve(0) : new Promise<number>((done) => requestAnimationFrame(done));
  // The control of a label may be invisible, because the label is drawn in its place.
  const targets = elements.map((each) =>
    use === 'choose' ? ((each as Partial<HTMLInputElement>).labels?.[0] ?? each) : each,
  );
  const element = targets.find(isShown);
  if (!element) return elements.length === 0 ? 'it is not there' : 'it is hidden';
  if (use !== 'see' && element.matches(':disabled, [aria-disabled="true"]')) return 'it is disabled';

  const block = (each: Element) => each.closest('[role="dialog"], dialog, [data-exposed]');
  const look = (): string | undefined => {
    const { left, right, top, bottom } = element.getClientRects()[0] ?? element.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2) return 'it has no size';
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const hit = right > 0 && left < innerWidth ? document.elementFromPoint(x, y) : null;
    if (!hit) return `it is outside of the window, at ${Math.round(left)}, ${Math.round(top)}`;
    if (element.contains(hit) || hit.closest('label')?.control === element) return undefined;
    // Elements of one block may overlap, as long as nothing is pressed. What ignores the pointer is never hit.
    const isOverlap = hit.contains(element) || (block(hit) !== null && block(hit) === block(element));
    const ignoresPointer = getComputedStyle(element).pointerEvents === 'none';
    if (use === 'see' && (isOverlap || ignoresPointer)) return undefined;
    return `it is covered by ${nameOf(hit)}`;
  };
  let why = look();
  // Sections that come near the window may take another height, which moves the element.
  for (let frames = 0; why !== undefined && frames < 4; frames += 1) {
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    await nextFrame();
    why = look();
  }
  if (use !== 'see' || why !== undefined) return why;

  // Draws the backgrounds behind the element over each other, and then its text.
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) return 'its colours cannot be measured';
  const boxes: Element[] = [];
  for (let box: Element | null = element; box; box = box.parentElement) boxes.unshift(box);
  const paintAndMeasure = (color: string) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  };
  let background = paintAndMeasure('white');
  for (const box of boxes) background = paintAndMeasure(getComputedStyle(box).backgroundColor);
  const isPlainColor = boxes.every((box) => getComputedStyle(box).backgroundImage === 'none');
  const text = paintAndMeasure(getComputedStyle(element).color);
  if (isPlainColor && Math.abs(text - background) < 0.05 && element.textContent.trim() !== '') {
    return 'its text has the colour of its background';
  }
  if (theme === undefined || theme === (background < 0.5 ? 'dark' : 'light')) return undefined;
  return `it is not drawn in the ${theme} theme`;
}

/** Ticks the box of a required consent in the element's form. No journey names it, because the operator writes its text. */
export function consent(element: Element): void {
  const box = element.closest('form')?.querySelector<HTMLInputElement>('[data-consent] [type="checkbox"]');
  if (box) box.checked = true;
}

/** What the first element holds, and whether it is chosen. `focus` names the element with the focus if that is another one. */
export function readField(elements: readonly Element[]) {
  const [element] = elements;
  const { activeElement } = document;
  const hasFocus = elements.some((each) => each.contains(activeElement));
  const name =
    activeElement?.getAttribute('aria-label') ?? activeElement?.textContent.trim().slice(0, 40) ?? '';
  return {
    isGone: element === undefined,
    value: (element as Partial<HTMLInputElement> | undefined)?.value,
    isChosen:
      (element as Partial<HTMLInputElement> | undefined)?.checked === true ||
      ['aria-checked', 'aria-selected'].some((attribute) => element?.getAttribute(attribute) === 'true'),
    focus: hasFocus ? undefined : `${activeElement?.localName ?? 'nothing'} "${name}"`,
  };
}

/** Why a section is out of place: not right below the header, not as far up as the page can scroll, its heading not in the upper half. */
export function whyOutOfPlace(id: string): string | undefined {
  const section = document.getElementById(id);
  if (!section) return `the page has no section "${id}"`;
  const header = document.querySelector('header');
  const isSticky = header !== null && getComputedStyle(header).position === 'sticky';
  const distance =
    section.getBoundingClientRect().top - (isSticky ? header.getBoundingClientRect().bottom : 0);
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  const isAtEnd = scrollHeight - clientHeight - scrollTop < 1;
  if (Math.abs(distance) < 24 || (isAtEnd && distance > 0)) return undefined;
  // A person who sees the heading in the upper half has arrived, whatever distance the design leaves above the section.
  const heading = section.querySelector('h1, h2, h3')?.getBoundingClientRect();
  const hit = heading && document.elementFromPoint(heading.left + 4, heading.top + heading.height / 2);
  if (hit && section.contains(hit) && heading.top < clientHeight / 2) return undefined;
  return `the section "${id}" is ${Math.round(distance)} px away from its place`;
}

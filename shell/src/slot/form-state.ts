import { counterpartOf, isChoice } from './counterpart.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface FieldInput {
  readonly field: Field;
  readonly value: string;
  readonly checked: boolean;
  readonly selection: readonly [start: number, end: number] | undefined;
}

/** What a visitor has typed, chosen and focused in a slot. */
export interface VisitorInput {
  readonly fields: readonly FieldInput[];
  readonly focused: Element | undefined;
}

/** Records what differs from the markup, before a rendering that would overwrite it. */
export function recordInput(slot: Element): VisitorInput {
  const fields = [...slot.querySelectorAll<Field>('input, textarea, select')].filter(differsFromMarkup);
  const { activeElement } = document;
  return {
    fields: fields.map((field) => ({
      field,
      value: field.value,
      checked: field instanceof HTMLInputElement && field.checked,
      selection: field === activeElement ? selectionOf(field) : undefined,
    })),
    focused: activeElement && slot.contains(activeElement) ? activeElement : undefined,
  };
}

/** Puts it back into the same fields, or into those that stand in their place, as if the visitor did. */
export function restoreInput(slot: Element, { fields, focused }: VisitorInput): void {
  const here = <Kind extends Element>(element: Kind): Kind | undefined =>
    slot.contains(element) ? element : (counterpartOf(element, slot) as Kind | undefined);
  for (const { field, value, checked, selection } of fields) {
    const place = here(field);
    if (!place) continue;
    if (place instanceof HTMLInputElement && isChoice(place)) choose(place, checked);
    else type(place, value);
    // React writes the value once more when it has handled the event.
    if (selection && 'setSelectionRange' in place) {
      queueMicrotask(() => place.setSelectionRange(...selection));
    }
  }
  const place = focused && here(focused);
  if (place instanceof HTMLElement && document.activeElement !== place) place.focus({ preventScroll: true });
}

function differsFromMarkup(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    return field.selectedOptions[0] !== (options.find((option) => option.defaultSelected) ?? options[0]);
  }
  if (field instanceof HTMLInputElement && isChoice(field)) {
    // Of a group of radio buttons, the chosen one says all.
    return field.checked !== field.defaultChecked && (field.checked || field.type === 'checkbox');
  }
  return field.value !== field.defaultValue;
}

function selectionOf(field: Field): readonly [number, number] | undefined {
  if (field instanceof HTMLSelectElement || field.selectionStart === null) return undefined;
  return [field.selectionStart, field.selectionEnd ?? field.selectionStart];
}

/**
 * React hears of a change only when the value differs from the one that it has seen last, and it sees what is assigned to the
 * element itself.
 */
function type(field: Field, value: string): void {
  field.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

function choose(field: HTMLInputElement, checked: boolean): void {
  field.checked = !checked;
  field.click();
}

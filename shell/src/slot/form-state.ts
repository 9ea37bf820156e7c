// blind spot: no step uses markup that is rendered again, but tests of this file do, and end-to-end tests read the caret.
import { findMatchingElement, isChoice } from './matching-element.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface FieldState {
  readonly field: Field;
  readonly value: string;
  readonly checked: boolean;
  readonly selection: readonly [start: number, end: number] | undefined;
}

/** The visitor's input in a slot: the fields that differ from the markup, and the element with the focus. */
export interface FormState {
  readonly fields: readonly FieldState[];
  readonly focused: Element | undefined;
}

/** Captures the input before a rendering that would overwrite it. */
export function captureFormState(slot: Element): FormState {
  const fields = [...slot.querySelectorAll<Field>('input, textarea, select')].filter(isDirty);
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

/** Restores a form state into the same fields or their matching elements, with the events that user input causes. */
export function restoreFormState(slot: Element, { fields, focused }: FormState): void {
  const currentElement = <Kind extends Element>(element: Kind): Kind | undefined =>
    slot.contains(element) ? element : (findMatchingElement(element, slot) as Kind | undefined);
  for (const { field, value, checked, selection } of fields) {
    const element = currentElement(field);
    if (!element) continue;
    if (element instanceof HTMLInputElement && isChoice(element)) setChecked(element, checked);
    else setValue(element, value);
    // Deferred, because React sets the value again after the event handlers.
    if (selection && 'setSelectionRange' in element) {
      queueMicrotask(() => element.setSelectionRange(...selection));
    }
  }
  const element = focused && currentElement(focused);
  if (element instanceof HTMLElement && document.activeElement !== element)
    element.focus({ preventScroll: true });
}

function isDirty(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    return field.selectedOptions[0] !== (options.find((option) => option.defaultSelected) ?? options[0]);
  }
  if (field instanceof HTMLInputElement && isChoice(field)) {
    // In a radio group, only the checked button needs to be restored.
    return field.checked !== field.defaultChecked && (field.checked || field.type === 'checkbox');
  }
  return field.value !== field.defaultValue;
}

function selectionOf(field: Field): readonly [number, number] | undefined {
  if (field instanceof HTMLSelectElement || field.selectionStart === null) return undefined;
  return [field.selectionStart, field.selectionEnd ?? field.selectionStart];
}

/**
 * React patches the element's own `value`, and ignores events if the value equals the last one that it saw. Therefore React
 * sees an empty one first, and the prototype's setter hides the new one until the events.
 */
function setValue(field: Field, value: string): void {
  field.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

function setChecked(field: HTMLInputElement, checked: boolean): void {
  field.checked = !checked;
  // Reverses it, with the events that React listens to.
  field.click();
}

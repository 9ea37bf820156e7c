import { slotAttributes } from '@countersign/contracts/slot-markup';
import { rootElementId } from '../document/element-ids.ts';
import { counterpartOf } from './counterpart.ts';

/** Global variable with the buttons that were pressed before their slot was hydrated, in order. */
const earlyPressesGlobal = '_EARLY_PRESSES';

/**
 * Remembers presses of buttons whose code has not come yet. Links, fields and buttons that submit a form work without. Its source text is
 * inlined in the HTML, so it may use nothing from outside its own body.
 */
function rememberEarlyPresses(rootId: string, globalName: string, waitingSlot: string): void {
  const presses: Element[] = [];
  Object.assign(globalThis, { [globalName]: presses });
  document.getElementById(rootId)?.addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element ? target.closest('button') : null;
      const submits = button?.type === 'submit' && button.form;
      if (button && !submits && button.closest(waitingSlot)) presses.push(button);
    },
    { capture: true },
  );
}

/** Source text of the script that begins to remember, before the shell is there. */
export const earlyPressesScript = `(${rememberEarlyPresses})("${rootElementId}","${earlyPressesGlobal}","[${slotAttributes.remote}]:not([${slotAttributes.version}])")`;

/** Buttons of a slot that were pressed before it was hydrated, first to last. */
export function earlyPressesIn(slot: Element): readonly Element[] {
  return allEarlyPresses().filter((button) => slot.contains(button));
}

/** Presses the last of the buttons again, or what stands in its place. */
export function replayEarlyPress(slot: Element, pressed: readonly Element[]): void {
  const all = allEarlyPresses();
  for (const button of pressed) all.splice(all.indexOf(button), 1);
  const last = pressed.at(-1);
  const button = last?.isConnected ? last : last && counterpartOf(last, slot);
  if (button instanceof HTMLElement) button.click();
}

function allEarlyPresses(): Element[] {
  const presses: unknown = Reflect.get(globalThis, earlyPressesGlobal);
  return Array.isArray(presses) ? (presses as Element[]) : [];
}

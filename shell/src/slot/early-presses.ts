import { slotAttributes } from '@countersign/contracts/slot-markup';
import { rootElementId } from '../document/element-ids.ts';
import { counterpartOf } from './counterpart.ts';

/** A press of a button whose code had not come. */
export interface EarlyPress {
  readonly button: Element;
  readonly event: Event;
}

/** Global variable with the presses of buttons whose slot was not hydrated, in order. */
const earlyPressesGlobal = '_EARLY_PRESSES';

/**
 * Remembers presses of buttons whose code has not come yet. Links, fields and buttons that submit a form work without. Its source text is
 * inlined in the HTML, so it may use nothing from outside its own body.
 */
function rememberEarlyPresses(rootId: string, globalName: string, waitingSlot: string): void {
  const presses: EarlyPress[] = [];
  Object.assign(globalThis, { [globalName]: presses });
  document.getElementById(rootId)?.addEventListener(
    'click',
    (event) => {
      const { target } = event;
      const button = target instanceof Element ? target.closest('button') : null;
      const submits = button?.type === 'submit' && button.form;
      if (button && !submits && button.closest(waitingSlot)) presses.push({ button, event });
    },
    { capture: true },
  );
}

/** Source text of the script that begins to remember, before the shell is there. */
export const earlyPressesScript = `(${rememberEarlyPresses})("${rootElementId}","${earlyPressesGlobal}","[${slotAttributes.remote}]:not([${slotAttributes.version}])")`;

/** Presses in a slot before it was hydrated, first to last. */
export function earlyPressesIn(slot: Element): readonly EarlyPress[] {
  return allEarlyPresses().filter(({ button }) => slot.contains(button));
}

/** Presses the last of the buttons again, or what stands in its place. */
export function replayEarlyPress(slot: Element, presses: readonly EarlyPress[]): void {
  const all = allEarlyPresses();
  for (const press of presses) all.splice(all.indexOf(press), 1);
  const last = presses.at(-1);
  // A press makes React hydrate at once what it has begun to hydrate; then React passes the press on.
  if (!last || last.event.eventPhase !== Event.NONE) return;
  const button = last.button.isConnected ? last.button : counterpartOf(last.button, slot);
  if (button instanceof HTMLElement) button.click();
}

function allEarlyPresses(): EarlyPress[] {
  const presses: unknown = Reflect.get(globalThis, earlyPressesGlobal);
  return Array.isArray(presses) ? (presses as EarlyPress[]) : [];
}

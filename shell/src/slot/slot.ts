import type { RemoteName } from '@countersign/contracts/remotes';
import { slotAttributes, type SlotState } from '@countersign/contracts/page-markup';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import type { ShellApiStore } from '../page/shell-api-store.ts';
import type { ReportPart } from './part-event.ts';
import { keepMarkup, type PrerenderedMarkup } from './prerendered-markup.ts';

/** The slot element and the component that fills it. */
export interface SlotTarget {
  /** Contains the prerendered markup of the component, if the release has any. */
  readonly element: Element;
  readonly remote: RemoteName;
  readonly exposed: string;
}

/** Dependencies of a slot. */
export interface SlotServices {
  readonly loader: RemoteLoader;
  readonly shell: ShellApiStore;
  /** Called with the outcome of each version that the slot attempts. */
  readonly report: ReportPart;
}

/** A slot while it is filled. */
export interface Slot extends SlotTarget, SlotServices {
  readonly markup: PrerenderedMarkup;
  /** Aborted when the slot is disposed of, because its element is out of the page. No failure is reported afterwards. */
  readonly disposal: AbortSignal;
  enter(state: SlotState): void;
}

export function createSlot(target: SlotTarget, services: SlotServices, disposal: AbortSignal): Slot {
  const { element } = target;
  return {
    ...target,
    ...services,
    markup: keepMarkup(element),
    disposal,
    enter(state) {
      element.setAttribute(slotAttributes.state, state);
      // blind spot: no step makes a version fail, but the tests of fill-slot do.
      if (state === 'failed') element.setAttribute(slotAttributes.plain, '');
    },
  };
}

import type { LeadFields } from '@countersign/contracts/lead';
import type { LeadType } from '@countersign/contracts/lead-form';
import type { ShellApi } from '@countersign/contracts/shell-api';
import type { FieldErrors, UseFormRegister } from 'react-hook-form';

export interface LeadFormOptions {
  readonly type: LeadType;
  readonly shell: Pick<ShellApi, 'notify' | 'page' | 'shownParts'>;
  /** Called with the service's message when the lead is stored. */
  readonly onSuccess?: (message: string) => void;
}

/** Outcome of the last lead. The form shows it as well, because a toast may fail or disappear too soon. */
export interface LeadOutcome {
  readonly stored: boolean;
  readonly message: string;
}

/** What the logic gives to the form. */
export interface LeadFormLogicState {
  readonly register: UseFormRegister<LeadFields>;
  readonly errors: FieldErrors<LeadFields>;
  readonly isSending: boolean;
  readonly outcome: LeadOutcome | undefined;
}

interface LeadFormState {
  /**
   * `idle`: the visitor can edit and submit. `waitingForLogic`: a submit waits for the code. `sending`: the logic sends the
   * lead. `leaving`: the browser sends the form, and its answer replaces the page.
   */
  readonly phase: 'idle' | 'waitingForLogic' | 'sending' | 'leaving';
  /** Whether the form has the logic's code loaded and rendered. After `failed`, the browser sends the form. */
  readonly code: 'unneeded' | 'needed' | 'failed';
  /** Number of submits, including those before the code was loaded. */
  readonly submitCount: number;
  /** Not watched all the time: as of the last submit or timeout. */
  readonly isOffline: boolean;
}

export type LeadFormEvent =
  /** The visitor has begun to use the form. */
  | { readonly type: 'used' }
  | { readonly type: 'submitted'; readonly hasLogic: boolean; readonly isOffline: boolean }
  /** The logic is ready, or its state has changed. */
  | { readonly type: 'logicChanged'; readonly isSending: boolean }
  /** The code failed to load, or a submit has waited too long for it. */
  | { readonly type: 'logicFailed' }
  | { readonly type: 'wentOffline' }
  /** The browser's request did not replace the page, or the visitor is back on it. */
  | { readonly type: 'stayed' };

export function initialState(eager: boolean): LeadFormState {
  return { phase: 'idle', code: eager ? 'needed' : 'unneeded', submitCount: 0, isOffline: false };
}

/** The state after an event. */
export function nextFormState(state: LeadFormState, event: LeadFormEvent): LeadFormState {
  switch (event.type) {
    case 'used':
      return state.code === 'unneeded' ? { ...state, code: 'needed' } : state;
    case 'submitted':
      return {
        // The logic validates first. It reports when it sends.
        phase: event.hasLogic ? 'idle' : 'waitingForLogic',
        code: 'needed',
        submitCount: state.submitCount + 1,
        isOffline: event.isOffline,
      };
    case 'logicChanged':
      return { ...state, phase: event.isSending ? 'sending' : 'idle' };
    case 'logicFailed':
      return { ...state, code: 'failed', phase: state.phase === 'waitingForLogic' ? 'leaving' : 'idle' };
    case 'wentOffline':
      return { ...state, isOffline: true };
    case 'stayed':
      return { ...state, phase: 'idle' };
  }
}

/** What the form shows in a state, while its logic has no outcome to show. */
export function noticeOf({ phase, isOffline }: LeadFormState): LeadOutcome | undefined {
  if (phase !== 'waitingForLogic' || !isOffline) return undefined;
  return {
    stored: false,
    message: 'There is no internet connection. Your message will be sent as soon as you are online again.',
  };
}

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

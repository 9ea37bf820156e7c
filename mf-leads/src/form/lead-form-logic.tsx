import { leadFields, honeypotField, type LeadFields, type LeadProblem } from '@countersign/contracts/lead';
import { consentField, type LeadType } from '@countersign/contracts/lead-form';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { zodResolver } from '@hookform/resolvers/zod';
import { useImperativeHandle, useLayoutEffect, useState, type FormEvent, type Ref } from 'react';
import { useForm, type FieldErrors, type UseFormRegister } from 'react-hook-form';
import { currentAttribution } from '../data/attribution.ts';
import { fallbackMessage, ResponseError } from '../data/request.ts';
import { useSendLead } from '../data/use-send-lead.ts';
import { lacksConsent } from './browser-fallback.ts';
import { clearTexts, draftIn, emptyDraft, fieldNames } from './draft.ts';

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

/** What the form shows of its logic. */
export interface LeadFormLogicState {
  readonly register: UseFormRegister<LeadFields>;
  readonly errors: FieldErrors<LeadFields>;
  /** Whether the form validates or sends a lead. */
  readonly isSubmitting: boolean;
  /** Whether a lead of this type is being sent, also if its form was closed and reopened. */
  readonly isSending: boolean;
  readonly outcome: LeadOutcome | undefined;
}

/** Validates the fields, and sends them if they are valid. */
export type LeadFormSubmit = (event: FormEvent) => Promise<void>;

/** @public For knip: no other file imports it, but the type declarations of `lead-form.tsx` name it. */
export interface LeadFormLogicProps extends LeadFormOptions {
  readonly form: HTMLFormElement;
  readonly ref: Ref<LeadFormSubmit>;
  /** Called when the logic is ready, and after each change. */
  onState(state: LeadFormLogicState): void;
}

/** Logic of a form that is already rendered. Renders nothing. */
// blind spot (return null, reset(draftIn, !sending): equivalent, because the fields themselves are read, and a button is disabled.
// blind spot (consentText, honeypot, attribution, lacksConsent, showErrors, instanceof, clearTexts, 'destructive'): tests see these.
export function LeadFormLogic({ type, shell, form, onSuccess, onState, ref }: LeadFormLogicProps) {
  const { register, handleSubmit, setError, reset, formState } = useForm<LeadFields>({
    // The content of the fields, because some tools fill them in without events.
    resolver: (_values, ...rest) => zodResolver(leadFields)(draftIn(form), ...rest),
  });
  const { errors, isSubmitting } = formState;
  const [outcome, setOutcome] = useState<LeadOutcome>();
  const { send, isSending } = useSendLead(type, () => {
    const entries = new FormData(form);
    const honeypot = entries.get(honeypotField);
    const consentText = entries.get(consentField);
    return {
      attribution: {
        ...currentAttribution(shell),
        ...(typeof consentText === 'string' && { consentText, consentedAt: new Date().toISOString() }),
      },
      ...(typeof honeypot === 'string' && honeypot !== '' && { [honeypotField]: honeypot }),
    };
  });

  /** Shows errors of the service at their fields, and focuses the first one. Errors of other fields are in the message alone. */
  // blind spot: no answer of a step names fields, but one of a test does.
  function showErrors(fieldErrors: LeadProblem['errors']) {
    let shouldFocus = true;
    for (const name of fieldNames) {
      const error = fieldErrors.find(({ field }) => field === name);
      if (!error) continue;
      setError(name, { type: 'server', message: error.message }, { shouldFocus });
      shouldFocus = false;
    }
  }

  const submit = handleSubmit(async (fields) => {
    if (lacksConsent(form)) return;
    const sending = send(fields);
    // Another form of the type is sending already.
    if (!sending) return;
    const result = await sending.then(
      ({ message }): LeadOutcome => ({ stored: true, message }),
      (error: unknown): LeadOutcome => {
        if (error instanceof ResponseError) showErrors(error.fieldErrors);
        return { stored: false, message: (error instanceof Error && error.message) || fallbackMessage };
      },
    );
    const { stored, message } = result;
    setOutcome(result);
    if (stored) {
      reset(emptyDraft);
      clearTexts(type);
      onSuccess?.(message);
    }
    // Last, because the form has told the outcome, even if this fails.
    shell.notify(
      stored
        ? { title: 'Success!', description: message }
        : { title: 'Error', description: message, variant: 'destructive' },
    );
  });
  useImperativeHandle(ref, () => async (event) => {
    setOutcome(undefined);
    await submit(event);
  });

  // Takes over the fields with what has been typed until now.
  useLayoutEffect(() => reset(draftIn(form)), [form, reset]);

  useLayoutEffect(() => {
    onState({ register, errors: { ...errors }, isSubmitting, isSending, outcome });
    // `errors` is mutated in place, so `formState` is the dependency that changes.
  }, [onState, register, formState, errors, isSubmitting, isSending, outcome]);

  return null;
}

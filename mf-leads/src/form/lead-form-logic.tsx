import { leadFields, honeypotField, type LeadFields } from '@countersign/contracts/lead';
import { consentField, type LeadType } from '@countersign/contracts/lead-form';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { zodResolver } from '@hookform/resolvers/zod';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useForm, type FieldErrors, type UseFormRegister } from 'react-hook-form';
import { currentAttribution } from '../data/attribution.ts';
import { useSendLead } from '../data/use-send-lead.ts';
import { lacksConsent } from './browser-fallback.ts';
import { clearDraft, draftIn, emptyDraft } from './draft.ts';

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

/** @public For knip: no other file imports it, but the type declarations of `lead-form.tsx` name it. */
export interface LeadFormLogicProps extends LeadFormOptions {
  readonly form: HTMLFormElement;
  /** Number of submits, including those before this code was loaded. */
  readonly submitCount: number;
  /** Called when the logic is ready, and after each change. */
  onState(state: LeadFormLogicState): void;
}

const fallbackMessage = 'Something went wrong. Please try again.';

/** Logic of a form that is already rendered. Renders nothing. */
export function LeadFormLogic({ type, shell, form, submitCount, onSuccess, onState }: LeadFormLogicProps) {
  const [defaultValues] = useState(() => draftIn(form));
  const { register, handleSubmit, reset, getValues, setValue, formState } = useForm<LeadFields>({
    resolver: zodResolver(leadFields),
    defaultValues,
  });
  const { errors } = formState;
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

  /** Tells react-hook-form of values that came into the fields without its events. */
  const readFields = useCallback(() => {
    for (const [name, text] of Object.entries(draftIn(form)) as [keyof LeadFields, string][]) {
      if (getValues(name) !== text) setValue(name, text);
    }
  }, [form, getValues, setValue]);

  // Input that arrived while this component rendered.
  useLayoutEffect(readFields, [readFields]);

  useLayoutEffect(() => {
    onState({ register, errors: { ...errors }, isSending, outcome });
    // `errors` is mutated in place, so `formState` is the dependency that changes.
  }, [onState, register, formState, errors, isSending, outcome]);

  const submit = useEffectEvent(
    handleSubmit(async (fields) => {
      if (lacksConsent(form)) return;
      const sending = send(fields);
      // Another form of the type is sending already.
      if (!sending) return;
      setOutcome(undefined);
      const result = await sending.then(
        ({ message }): LeadOutcome => ({ stored: true, message }),
        (error: unknown): LeadOutcome => ({
          stored: false,
          message: (error instanceof Error && error.message) || fallbackMessage,
        }),
      );
      const { stored, message } = result;
      setOutcome(result);
      if (stored) {
        reset(emptyDraft);
        clearDraft(type);
        onSuccess?.(message);
      }
      // Last, because the form has told the outcome, even if this fails.
      shell.notify(
        stored
          ? { title: 'Success!', description: message }
          : { title: 'Error', description: message, variant: 'destructive' },
      );
    }),
  );

  const handledCount = useRef(0);
  useEffect(() => {
    if (submitCount === handledCount.current) return;
    handledCount.current = submitCount;
    // Some tools fill in fields without events.
    readFields();
    void submit();
  }, [submitCount, readFields]);

  return null;
}

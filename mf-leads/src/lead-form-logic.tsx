import { leadFields, trapField, type LeadFields } from '@countersign/contracts/lead';
import type { Notice } from '@countersign/contracts/shell-api';
import { zodResolver } from '@hookform/resolvers/zod';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useForm, type FieldErrors, type UseFormRegister } from 'react-hook-form';
import { attributionNow } from './attribution.ts';
import { clientOf } from './data/query-client.ts';
import { useFormEvidence } from './data/use-form-evidence.ts';
import { useSendLead } from './data/use-send-lead.ts';
import { clearDraft, draftIn, emptyDraft } from './draft.ts';
import type { LeadFormOptions } from './lead-form.tsx';

/** What became of the last lead. The form says so as well: the page's notice may fail, or be gone too soon. */
export interface LeadOutcome {
  readonly stored: boolean;
  readonly message: string;
}

/** What the form shows of its logic. */
export interface LeadFormState {
  readonly register: UseFormRegister<LeadFields>;
  readonly errors: FieldErrors<LeadFields>;
  readonly isSending: boolean;
  readonly outcome: LeadOutcome | undefined;
}

interface LeadFormLogicProps extends LeadFormOptions {
  readonly form: HTMLFormElement;
  /** How often the visitor has sent the form. Also counts what came before this code. */
  readonly sendings: number;
  onState(state: LeadFormState): void;
}

const fallbackMessage = 'Something went wrong. Please try again.';

/** The logic of a form that is in the page already. Shows nothing itself. */
export function LeadFormLogic(props: LeadFormLogicProps) {
  return (
    <QueryClientProvider client={clientOf(props.session)}>
      <Logic {...props} />
    </QueryClientProvider>
  );
}

function Logic({ type, shell, form, sendings, onSuccess, onState }: LeadFormLogicProps) {
  const [defaultValues] = useState(() => draftIn(form));
  const { register, handleSubmit, reset, getValues, setValue, formState } = useForm<LeadFields>({
    resolver: zodResolver(leadFields),
    defaultValues,
  });
  const { errors } = formState;
  const [outcome, setOutcome] = useState<LeadOutcome>();
  const { collect, renew } = useFormEvidence(form);
  const { send, isSending } = useSendLead(type, async () => {
    const trapped = new FormData(form).get(trapField);
    return {
      attribution: attributionNow(shell.page.releaseId),
      ...(typeof trapped === 'string' && trapped !== '' && { [trapField]: trapped }),
      ...(await collect()),
    };
  });

  useLayoutEffect(() => {
    // What was typed while this component was rendered.
    for (const [name, text] of Object.entries(draftIn(form)) as [keyof LeadFields, string][]) {
      if (getValues(name) !== text) setValue(name, text);
    }
  }, [form, getValues, setValue]);

  useLayoutEffect(() => {
    onState({ register, errors: { ...errors }, isSending, outcome });
    // The errors are changed in place; the state around them is another object each time.
  }, [onState, register, formState, errors, isSending, outcome]);

  const submit = useEffectEvent(
    handleSubmit(async (fields) => {
      const sending = send(fields);
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
        renew();
      }
      notify(
        shell,
        stored
          ? { title: 'Success!', description: message }
          : { title: 'Error', description: message, variant: 'destructive' },
      );
      if (stored) onSuccess?.(message);
    }),
  );

  const handled = useRef(0);
  useEffect(() => {
    if (sendings === handled.current) return;
    handled.current = sendings;
    void submit();
  }, [sendings]);

  return null;
}

function notify(shell: LeadFormOptions['shell'], notice: Notice): void {
  try {
    shell.notify(notice);
  } catch (error) {
    console.error('mf-leads: the page shows no notice. The form says what became of the lead.', error);
  }
}

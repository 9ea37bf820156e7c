import { leadFields, trapField, type LeadFields, type LeadType } from '@countersign/contracts/lead';
import type { Notice, ShellApi } from '@countersign/contracts/shell-api';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { attributionNow } from './attribution.ts';
import { useFormEvidence } from './data/use-form-evidence.ts';
import { useSendLead } from './data/use-send-lead.ts';
import { clearDraft, emptyDraft, readDraft, saveDraft } from './draft.ts';

export interface LeadFormOptions {
  readonly type: LeadType;
  readonly shell: Pick<ShellApi, 'notify' | 'page'>;
  /** Called when the lead is stored, with the words of the service. */
  readonly onSuccess?: (message: string) => void;
}

/** What became of the last lead. The form says so as well: the page's notice may fail, or be gone too soon. */
export interface LeadOutcome {
  readonly stored: boolean;
  readonly message: string;
}

const fallbackMessage = 'Something went wrong. Please try again.';

/** The state of a form: what is typed is kept until it has been sent. */
export function useLeadForm({ type, shell, onSuccess }: LeadFormOptions) {
  const [draft] = useState(() => readDraft(type));
  const { register, handleSubmit, reset, subscribe, formState } = useForm<LeadFields>({
    resolver: zodResolver(leadFields),
    defaultValues: draft,
  });
  const [outcome, setOutcome] = useState<LeadOutcome>();
  const trap = useRef<HTMLInputElement>(null);
  const { prepare, collect, renew } = useFormEvidence();
  const { send, isSending } = useSendLead(type, async () => ({
    attribution: attributionNow(shell.page.releaseId),
    ...(trap.current?.value && { [trapField]: trap.current.value }),
    ...(await collect()),
  }));

  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(type, values) }),
    [subscribe, type],
  );

  const submit = handleSubmit(async (fields) => {
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
  });

  return { register, submit, prepare, trap, isSending, outcome, errors: formState.errors };
}

function notify(shell: LeadFormOptions['shell'], notice: Notice): void {
  try {
    shell.notify(notice);
  } catch (error) {
    console.error('mf-leads: the page shows no notice. The form says what became of the lead.', error);
  }
}

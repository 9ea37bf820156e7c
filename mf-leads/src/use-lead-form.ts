import { leadFields, trapField, type LeadFields, type LeadType } from '@countersign/contracts/lead';
import type { ShellApi } from '@countersign/contracts/shell-api';
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
  /** Called when the lead is stored and its sender has been thanked. */
  readonly onSuccess?: () => void;
}

const fallbackMessage = 'Something went wrong. Please try again.';

/** The state of a form: what is typed is kept until it has been sent. */
export function useLeadForm({ type, shell: { notify, page }, onSuccess }: LeadFormOptions) {
  const [draft] = useState(() => readDraft(type));
  const { register, handleSubmit, reset, subscribe, formState } = useForm<LeadFields>({
    resolver: zodResolver(leadFields),
    defaultValues: draft,
  });
  const trap = useRef<HTMLInputElement>(null);
  const { prepare, collect, renew } = useFormEvidence();
  const { send, isSending } = useSendLead(type, async () => ({
    attribution: attributionNow(page.releaseId),
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
    try {
      const { message } = await sending;
      reset(emptyDraft);
      clearDraft(type);
      renew();
      notify({ title: 'Success!', description: message });
    } catch (error) {
      const message = error instanceof Error && error.message;
      notify({ title: 'Error', description: message || fallbackMessage, variant: 'destructive' });
      return;
    }
    onSuccess?.();
  });

  return { register, submit, prepare, trap, isSending, errors: formState.errors };
}

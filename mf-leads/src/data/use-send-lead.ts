import type { LeadFields, LeadThanks, LeadType } from '@countersign/contracts/lead';
import type { SubmissionMetadata } from '@countersign/contracts/lead-submission';
import { useIsMutating, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { continueAttempt, clearAttempt, type LeadAttempt } from './lead-attempt.ts';
import { queryClient } from './query-client.ts';
import { submitLead } from './submit-lead.ts';

interface SendLead {
  /** Sends a lead. Returns undefined if one of this type is being sent. */
  send(fields: LeadFields): Promise<LeadThanks> | undefined;
  /** Whether a lead of this type is being sent, also if its form was closed and reopened. */
  readonly isSending: boolean;
}

/** @param metadataOf returns the metadata of a lead that is sent now */
export function useSendLead(type: LeadType, metadataOf: () => SubmissionMetadata): SendLead {
  // In memory as well, because storage can be blocked.
  const attempt = useRef<LeadAttempt>(undefined);
  const mutationKey = ['lead', type];
  const sendLead = async (fields: LeadFields): Promise<LeadThanks> => {
    const metadata = metadataOf();
    attempt.current = continueAttempt(type, fields, attempt.current);
    const thanks = await submitLead({ type, fields, metadata, idempotencyKey: attempt.current.key });
    clearAttempt(type);
    attempt.current = undefined;
    return thanks;
  };
  const { mutateAsync } = useMutation({ mutationKey, mutationFn: sendLead }, queryClient);
  const isSending = useIsMutating({ mutationKey }, queryClient) > 0;
  return {
    isSending,
    send: (fields) => (queryClient.isMutating({ mutationKey }) > 0 ? undefined : mutateAsync(fields)),
  };
}

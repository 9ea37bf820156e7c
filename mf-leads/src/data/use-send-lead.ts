// blind spot (ttempt, 0 → 1, 'lead', isMutating): tests compare the keys, and reopen a dialog that sends.
import type { LeadFields, LeadThanks, LeadType } from '@countersign/contracts/lead';
import type { SubmissionMetadata } from '@countersign/contracts/lead-submission';
import { useIsMutating, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { continueAttempt, type LeadAttempt } from './lead-attempt.ts';
import { queryClient } from './query-client.ts';
import { submitLead } from './submit-lead.ts';

/** @param metadataOf returns the metadata of a lead that is sent now */
export function useSendLead(type: LeadType, metadataOf: () => SubmissionMetadata) {
  // In memory as well, because storage can be blocked.
  const attempt = useRef<LeadAttempt>(undefined);
  const mutationKey = ['lead', type];
  const sendLead = async (fields: LeadFields): Promise<LeadThanks> => {
    attempt.current = continueAttempt(type, fields, attempt.current);
    const lead = { ...fields, ...metadataOf(), submissionType: type };
    const thanks = await submitLead(lead, attempt.current.key);
    attempt.current = undefined;
    return thanks;
  };
  const { mutateAsync } = useMutation({ mutationKey, mutationFn: sendLead }, queryClient);
  return {
    isSending: useIsMutating({ mutationKey }, queryClient) > 0,
    /** Sends a lead. Returns undefined if one of this type is being sent. */
    send: (fields: LeadFields) =>
      queryClient.isMutating({ mutationKey }) > 0 ? undefined : mutateAsync(fields),
  };
}

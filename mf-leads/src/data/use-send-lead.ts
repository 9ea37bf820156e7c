import type { LeadBackground, LeadFields, LeadThanks, LeadType } from '@countersign/contracts/lead';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { continueAttempt, endAttempt, type LeadAttempt } from '../lead-attempt.ts';
import { submitLead } from './submit-lead.ts';

interface SendLead {
  /** Sends a lead, unless one of this type is on its way: then there is nothing to wait for. */
  send(fields: LeadFields): Promise<LeadThanks> | undefined;
  /** True while a lead of this type is on its way, even if its form was closed and opened again. */
  readonly isSending: boolean;
}

/** @param collect what is sent along with the fields */
export function useSendLead(type: LeadType, collect: () => Promise<LeadBackground>): SendLead {
  const client = useQueryClient();
  // Where storage is forbidden, it is remembered as long as its form is there.
  const attempt = useRef<LeadAttempt>(undefined);
  const mutationKey = ['lead', type];
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: async (fields: LeadFields) => {
      const background = await collect();
      attempt.current = continueAttempt(type, fields, attempt.current);
      const thanks = await submitLead({ type, fields, background, idempotencyKey: attempt.current.key });
      endAttempt(type);
      attempt.current = undefined;
      return thanks;
    },
  });
  const isSending = useIsMutating({ mutationKey }) > 0;
  return {
    isSending,
    send: (fields) => (client.isMutating({ mutationKey }) > 0 ? undefined : mutateAsync(fields)),
  };
}

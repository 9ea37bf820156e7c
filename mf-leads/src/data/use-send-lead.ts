import type { LeadFields, LeadThanks, LeadType } from '@countersign/contracts/lead';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { submitLead } from './submit-lead.ts';

interface SendLead {
  /** Sends a lead, unless one of this type is on its way: then there is nothing to wait for. */
  send(fields: LeadFields): Promise<LeadThanks> | undefined;
  /** True while a lead of this type is on its way, even if its form was closed and opened again. */
  readonly isSending: boolean;
}

export function useSendLead(type: LeadType): SendLead {
  const client = useQueryClient();
  const mutationKey = ['lead', type];
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: (fields: LeadFields) => submitLead(type, fields),
  });
  const isSending = useIsMutating({ mutationKey }) > 0;
  return {
    isSending,
    send: (fields) => (client.isMutating({ mutationKey }) > 0 ? undefined : mutateAsync(fields)),
  };
}

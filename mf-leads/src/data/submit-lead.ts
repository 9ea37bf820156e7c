import {
  idempotencyKeyHeader,
  leadPath,
  leadThanks,
  type LeadBackground,
  type LeadFields,
  type LeadSubmission,
  type LeadThanks,
  type LeadType,
} from '@countersign/contracts/lead';
import { request } from './request.ts';

/** Everything that is sent because a person has pressed send. */
export interface OutgoingLead {
  readonly type: LeadType;
  readonly fields: LeadFields;
  readonly background: LeadBackground;
  /** Letters, digits and dashes. */
  readonly idempotencyKey: string;
}

/** Hands a lead to the service. Resolves when it is stored. */
export async function submitLead({
  type,
  fields,
  background,
  idempotencyKey,
}: OutgoingLead): Promise<LeadThanks> {
  const lead: LeadSubmission = { ...fields, ...background, submissionType: type };
  const response = await request('POST', leadPath(type), lead, {
    [idempotencyKeyHeader]: `"${idempotencyKey}"`,
  });
  try {
    return leadThanks.parse(await response.json());
  } catch (cause) {
    // Something between the visitor and the service has answered in its place.
    throw new Error('The answer could not be read. Please try again.', { cause });
  }
}

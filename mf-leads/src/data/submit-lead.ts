import {
  leadAccepted,
  leadPath,
  type LeadAccepted,
  type LeadFields,
  type LeadSubmission,
  type LeadType,
} from '@countersign/contracts/lead';
import { request } from './request.ts';

/** Hands a lead to the service. Resolves when it is stored. */
export async function submitLead(type: LeadType, fields: LeadFields): Promise<LeadAccepted> {
  const lead: LeadSubmission = { ...fields, submissionType: type };
  const response = await request('POST', leadPath(type), lead);
  try {
    return leadAccepted.parse(await response.json());
  } catch (cause) {
    // Something between the visitor and the service has answered in its place.
    throw new Error('The answer could not be read. Please try again.', { cause });
  }
}

import {
  leadPath,
  leadThanks,
  type LeadFields,
  type LeadSubmission,
  type LeadThanks,
  type LeadType,
} from '@countersign/contracts/lead';
import { request } from './request.ts';

/** Hands a lead to the service. Resolves when it is stored. */
export async function submitLead(type: LeadType, fields: LeadFields): Promise<LeadThanks> {
  const lead: LeadSubmission = { ...fields, submissionType: type };
  const response = await request('POST', leadPath(type), lead);
  try {
    return leadThanks.parse(await response.json());
  } catch (cause) {
    // Something between the visitor and the service has answered in its place.
    throw new Error('The answer could not be read. Please try again.', { cause });
  }
}

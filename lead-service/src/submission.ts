import {
  leadBackground,
  leadFields,
  type LeadBackground,
  type LeadFields,
  type LeadType,
} from '@countersign/contracts/lead';
import type { JsonObject } from './json-body.ts';

/** What is wrong with one field, in words for the person who filled it in. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export type ParsedSubmission =
  | { readonly valid: true; readonly fields: LeadFields; readonly background: LeadBackground }
  | { readonly valid: false; readonly faults: readonly FieldFault[] };

/** Checks a body that was sent to the path of a lead type. The path decides the type; the body must not contradict. */
export function parseSubmission(type: LeadType, body: JsonObject): ParsedSubmission {
  const result = leadFields.safeParse(body);
  const faults = (result.error?.issues ?? []).map(({ path, message }): FieldFault => ({
    field: path.join('.'),
    message,
  }));
  if (body['submissionType'] !== undefined && body['submissionType'] !== type) {
    faults.push({ field: 'submissionType', message: `submissionType must be ${type} at this address` });
  }
  return result.success && faults.length === 0
    ? { valid: true, fields: result.data, background: leadBackground.parse(body) }
    : { valid: false, faults };
}

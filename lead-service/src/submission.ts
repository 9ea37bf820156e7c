import { leadFields, type LeadFields, type LeadType } from '@countersign/contracts/lead';
import type { JsonObject } from './json-body.ts';

/** What is wrong with one field, in words for the person who filled it in. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export type ParsedSubmission =
  | { readonly valid: true; readonly fields: LeadFields }
  | { readonly valid: false; readonly faults: readonly FieldFault[] };

/** Checks a body that was sent to the path of a lead type. The path decides the type; the body must not contradict. */
export function parseSubmission(type: LeadType, body: JsonObject): ParsedSubmission {
  const result = leadFields.safeParse(withoutNul(body));
  const faults = (result.error?.issues ?? []).map(({ path, message }): FieldFault => ({
    field: path.join('.'),
    message,
  }));
  if (body.submissionType !== undefined && body.submissionType !== type) {
    faults.push({ field: 'submissionType', message: `submissionType must be ${type} at this address` });
  }
  return result.success && faults.length === 0
    ? { valid: true, fields: result.data }
    : { valid: false, faults };
}

/** PostgreSQL cannot store the character NUL. Nobody types it, so no lead is refused for it. */
function withoutNul(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll('\0', '') : value,
    ]),
  );
}

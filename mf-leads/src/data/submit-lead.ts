import {
  idempotencyKeyHeader,
  leadPath,
  leadThanks,
  type LeadFields,
  type LeadThanks,
  type LeadType,
} from '@countersign/contracts/lead';
import type { LeadSubmission, SubmissionMetadata } from '@countersign/contracts/lead-submission';
import { request } from './request.ts';

/** A lead with its metadata and idempotency key. */
interface OutgoingLead {
  readonly type: LeadType;
  readonly fields: LeadFields;
  readonly metadata: SubmissionMetadata;
  /** Letters, digits and dashes. */
  readonly idempotencyKey: string;
}

/** In seconds. After a timeout, a retry with the same key does not store the lead twice. */
const requestTimeout = 30;

/** Sends a lead to the service. Resolves when the lead is stored. */
export async function submitLead({
  type,
  fields,
  metadata,
  idempotencyKey,
}: OutgoingLead): Promise<LeadThanks> {
  const lead: LeadSubmission = { ...fields, ...metadata, submissionType: type };
  const headers = { [idempotencyKeyHeader]: `"${idempotencyKey}"` };
  // Not `AbortSignal.timeout`, because it is missing in older browsers.
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), requestTimeout * 1000);
  try {
    return await readThanks(await request('POST', leadPath(type), lead, headers, controller.signal));
  } catch (cause) {
    if (!controller.signal.aborted) throw cause;
    throw new Error(`No answer came within ${requestTimeout} seconds. Please try again.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function readThanks(response: Response): Promise<LeadThanks> {
  try {
    return leadThanks.parse(await response.json());
  } catch (cause) {
    // The response may come from a proxy instead of the service.
    throw new Error('The answer could not be read. Please try again.', { cause });
  }
}

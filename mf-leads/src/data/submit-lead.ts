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

/** In seconds. A lead that was stored without an answer is found by its key when it is sent again. */
const longestWait = 30;

/** Hands a lead to the service. Resolves when it is stored. */
export async function submitLead({
  type,
  fields,
  background,
  idempotencyKey,
}: OutgoingLead): Promise<LeadThanks> {
  const lead: LeadSubmission = { ...fields, ...background, submissionType: type };
  const headers = { [idempotencyKeyHeader]: `"${idempotencyKey}"` };
  // Not `AbortSignal.timeout`: older browsers lack it.
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), longestWait * 1000);
  try {
    return await readThanks(await request('POST', leadPath(type), lead, headers, waiting.signal));
  } catch (cause) {
    if (!waiting.signal.aborted) throw cause;
    throw new Error(`No answer came within ${longestWait} seconds. Please try again.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function readThanks(response: Response): Promise<LeadThanks> {
  try {
    return leadThanks.parse(await response.json());
  } catch (cause) {
    // Something between the visitor and the service has answered in its place.
    throw new Error('The answer could not be read. Please try again.', { cause });
  }
}

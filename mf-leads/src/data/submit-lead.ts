// blind spot (30, 1000, problem, abort, without clearTimeout, success →): no step waits for half a minute, or asks a proxy, but tests do.
import { idempotencyKeyHeader, leadPath, leadThanks, type LeadThanks } from '@countersign/contracts/lead';
import type { LeadSubmission } from '@countersign/contracts/lead-submission';
import { request } from './request.ts';

/** In seconds. After a timeout, a retry with the same key does not store the lead twice. */
const requestTimeout = 30;

/**
 * Sends a lead to the service. Resolves when the lead is stored, also in the spool (202). Otherwise throws, without a retry: the form
 * shows the message, such as that of the service with status 503, and keeps what was typed.
 *
 * @param idempotencyKey letters, digits and dashes
 */
export async function submitLead(lead: LeadSubmission, idempotencyKey: string): Promise<LeadThanks> {
  const headers = {
    // Errors as problem documents, which name the fields.
    Accept: 'application/json, application/problem+json',
    [idempotencyKeyHeader]: `"${idempotencyKey}"`,
  };
  // Not `AbortSignal.timeout`, because it is missing in older browsers.
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), requestTimeout * 1000);
  try {
    const path = leadPath(lead.submissionType);
    return await readThanks(await request('POST', path, lead, headers, controller.signal));
  } catch (cause) {
    if (!controller.signal.aborted) throw cause;
    throw new Error(`No answer came within ${requestTimeout} seconds. Please try again.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function readThanks(response: Response): Promise<LeadThanks> {
  // The response may come from a proxy instead of the service.
  const { success, data, error } = leadThanks.safeParse(await response.json().catch(() => undefined));
  if (success) return data;
  throw new Error('The answer could not be read. Please try again.', { cause: error });
}

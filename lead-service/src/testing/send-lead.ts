import { leadPath, type LeadType } from '@countersign/contracts/lead';
import { sampleLead } from './sample-lead.ts';

/** A service or its public app. */
interface Served {
  readonly url: string;
}

/** Sends a POST with a JSON body. Sends a string unchanged. */
export function postJson(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

interface SendOptions {
  readonly type?: LeadType;
  readonly headers?: Record<string, string>;
}

/** Sends a lead as JSON. `fields` override those of the sample. */
export function sendLead(
  { url }: Served,
  fields: object = {},
  { type = 'contact', headers }: SendOptions = {},
): Promise<Response> {
  return postJson(url + leadPath(type), { ...sampleLead, ...fields }, headers);
}

/** Sends a lead, and returns the status of the whole answer. */
export async function statusOfLead(served: Served, fields?: object, options?: SendOptions): Promise<number> {
  const answer = await sendLead(served, fields, options);
  await answer.text();
  return answer.status;
}

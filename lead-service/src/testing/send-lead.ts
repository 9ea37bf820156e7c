import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
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

/** Sends a request with headers that `fetch` forbids, such as Host and Sec-Fetch-Site. With a body, it is a POST. */
export async function sendRaw(url: string, headers: Readonly<Record<string, string>>, body?: string) {
  const sending = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false });
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
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

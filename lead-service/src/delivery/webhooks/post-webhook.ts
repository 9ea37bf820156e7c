import type { LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { once } from 'node:events';
import { isPublicAddress, type Resolve } from './public-address.ts';

/** The endpoint is where no webhook may go. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

interface WebhookRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly resolve: Resolve;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
}

const longestAnswer = 1_024;

/**
 * Posts to an address that has been checked. The name is resolved once, every answer is checked, and the connection goes
 * to one of these: a name that changes its mind in between changes nothing. Redirects are answers like others.
 */
export async function postWebhook({
  url,
  headers,
  body,
  resolve,
  allowPrivate,
  signal,
}: WebhookRequest): Promise<WebhookAnswer> {
  const addresses = await orAborted(resolve(url.hostname.replace(/^\[(.*)\]$/, '$1')), signal);
  if (addresses.length === 0) throw new Error('The name has no address.');
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new PrivateAddress('The address of the endpoint is not public.');
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: pinnedTo(addresses),
    // A connection of its own: none that was opened before the check.
    agent: false,
    signal,
  });
  request.end(body);
  // Until there is an answer, the request's own events say why there is none.
  const [answer]: IncomingMessage[] = await once(request, 'response');
  request.on('error', () => undefined);
  if (answer === undefined) throw new Error('There is no answer.');
  return { status: answer.statusCode ?? 0, text: await beginningOf(answer) };
}

function pinnedTo(addresses: LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family ?? isIP(first?.address ?? ''));
  };
}

/** Reads no more than is kept. What breaks off after the status has been said does not change the status. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      length += chunk.length;
      if (length >= longestAnswer) break;
    }
  } catch {
    // The status is what counts.
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks).subarray(0, longestAnswer).toString();
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

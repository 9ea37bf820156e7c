import type { LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { once } from 'node:events';
import type { AttemptLimit } from '../attempt-limit.ts';
import { isPublicAddress, type Resolve } from './public-address.ts';

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

interface WebhookRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly resolve: Resolve;
  readonly allowPrivate: boolean;
  readonly limit: AttemptLimit;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly text: string;
}

/** In bytes. */
const maxAnswerLength = 1_024;

/**
 * Posts a webhook. Resolves the host once, checks all its addresses, and connects to one of them (no DNS rebinding). Does
 * not follow redirects.
 */
export async function postWebhook({
  url,
  headers,
  body,
  resolve,
  allowPrivate,
  limit,
}: WebhookRequest): Promise<WebhookAnswer> {
  const { signal } = limit;
  const addresses = await orAborted(resolve(url.hostname.replace(/^\[(.*)\]$/, '$1')), signal);
  const [first] = addresses;
  if (first === undefined) throw new Error('The host name has no address.');
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new PrivateAddress('The address of the endpoint is not public.');
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: pinnedTo(first, addresses),
    // A new connection, because a pooled one may predate the address check.
    agent: false,
    signal,
  });
  // Node sends the headers with the body. Both wait for the connection, and for the last check of the time limit.
  request.on('socket', (socket) => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      try {
        limit.throwIfOver();
        request.end(body);
      } catch (error) {
        request.destroy(error instanceof Error ? error : undefined);
      }
    });
  });
  // `once` rejects if the request emits an error before the response.
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  // Later errors are those of the answer, which `beginningOf` handles.
  request.on('error', () => undefined);
  return { status: answer.statusCode ?? 0, text: await beginningOf(answer) };
}

/** Replaces the DNS lookup of Node, which asks for all addresses or for one. */
function pinnedTo(first: LookupAddress, addresses: LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** Reads at most the stored part. An error after the status line does not change the status. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxAnswerLength) break;
    }
  } catch {
    // The status is already known.
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerLength).toString();
}

/** Rejects when the signal aborts. The DNS lookup, which takes no signal, goes on without a result. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

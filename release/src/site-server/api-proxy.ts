import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

/** Methods of the lead service. Only the body of a POST is passed on. */
export const apiMethods = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** Idle timeout of the lead service's connection, in milliseconds. Longer than any of its responses takes. */
const responseTimeout = 60_000;

/**
 * Headers of one connection only, beside those that `Connection` names (RFC 9110, section 7.6.1). Node frames each message itself. The
 * lead service's public endpoints use no cookies, and those of the whole domain could exceed its limit of headers.
 */
const notForwarded =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|cookie)$/;

/**
 * Proxies requests to the lead service, each on a connection of its own, so that no bytes of one can become another. Returns its
 * responses unchanged.
 */
export function createApiProxy(target: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method, url: path, socket } = request;
    const { 'content-length': length, ...headers } = endToEnd(request);
    const hasBody = method === 'POST';
    if (hasBody && length !== undefined) headers['content-length'] = length;
    // No client can remove what a proxy before this one has added, by naming it in `Connection`.
    const forwarded = [request.headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean);
    headers['x-forwarded-for'] = forwarded.join(', ');
    const outgoing = sendRequest(target, { method, path, headers, agent: false, timeout: responseTimeout });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer));
      // Aborts the response if the service's is truncated, so that the client does not wait for the rest.
      pipeline(answer, response, () => undefined);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => {
      if (response.headersSent) return;
      response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
      response.end('We could not take your message just now. Please try again in a moment.');
    });
    // Reads the rest of a body that the service did not want, because a client may read only after it has sent all.
    outgoing.on('close', () => request.resume());
    response.on('close', () => outgoing.destroy());
    if (hasBody) request.pipe(outgoing);
    else outgoing.end();
  };
}

function endToEnd({ headers }: IncomingMessage): IncomingMessage['headers'] {
  const ofConnection = (headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  const isForwarded = (name: string) => !notForwarded.test(name) && !ofConnection.includes(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isForwarded(name)));
}

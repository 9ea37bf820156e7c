import type { IncomingMessage, ServerResponse } from 'node:http';
import { createProxyServer } from 'http-proxy-3';

/** Idle timeout of the lead service's connection, in milliseconds. Longer than any of its responses takes. */
const responseTimeout = 60_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Proxies requests to the lead service. Returns its responses unchanged, including headers. */
export function createApiProxy(target: string): Handler {
  // `toProxy` passes on the path unchanged. Otherwise the proxy would resolve dot segments after the server's checks.
  const proxy = createProxyServer({ target, xfwd: true, toProxy: true, proxyTimeout: responseTimeout });
  proxy.on('error', (_error, _request, response) => {
    if (!('writeHead' in response) || response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
    response.end('We could not take your message just now. Please try again in a moment.');
  });
  // Aborts the response if the service's response is truncated, so that the client does not wait for the rest.
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.on('close', () => {
      if (!answer.complete) response.destroy();
    });
  });
  return (request, response) => proxy.web(request, response);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createProxyServer } from 'http-proxy-3';

/** Without a byte from the service, in milliseconds. Longer than the service takes for any answer. */
const answerTimeout = 60_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Passes requests on to the lead service. Its answers come back as they are, headers and all. */
export function createApiProxy(target: string): Handler {
  // `toProxy`: the path as it is. Otherwise the proxy resolves dot segments, after the server has decided on the path.
  const proxy = createProxyServer({ target, xfwd: true, toProxy: true, proxyTimeout: answerTimeout });
  proxy.on('error', (_error, _request, response) => {
    if (!('writeHead' in response) || response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
    response.end('We could not take your message just now. Please try again in a moment.');
  });
  // An answer that breaks off must not leave its receiver waiting for the rest.
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.on('close', () => {
      if (!answer.complete) response.destroy();
    });
  });
  return (request, response) => proxy.web(request, response);
}

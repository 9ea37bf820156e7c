import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { leadPath, leadTypes } from '@countersign/contracts/lead';
import { isLoopbackHost } from '@countersign/contracts/program';
import { pageReportPath } from '@countersign/contracts/part-event';
import { DevelopmentError } from './development-error.ts';

/** Answers a GET or HEAD request. */
type AnswerGet = (path: string, request: IncomingMessage, response: ServerResponse) => void;

/** A server for this machine only. It answers forms and page reports itself, so that they do not reach the site that the page comes from. */
interface LocalServer {
  readonly port: number;
  /** Must be called in the task in which {@link openLocalServer} resolves, because a request before that is never answered. */
  answerWith(answerGet: AnswerGet): void;
  /** Drops all connections and stops listening. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. Throws a {@link DevelopmentError} if the port is taken.
 *
 * @param port 0 picks a free one
 */
export async function openLocalServer(port: number, log: (line: string) => void): Promise<LocalServer> {
  const server = createServer();
  await listen(server, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    answerWith(answerGet) {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        if (!isLoopbackHost(request.headers.host)) {
          sendText(response, 421, 'This server answers to localhost only.');
          return;
        }
        // A service worker of one site would control the pages of all sites that are developed on this port later.
        if (request.headers['service-worker'] === 'script') {
          sendText(response, 403, 'The development server has no service workers.');
          return;
        }
        // Against other origins that load a part as a script, and read its sources.
        response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
        const [path = '/'] = (request.url ?? '/').split('?', 1);
        if (request.method === 'GET' || request.method === 'HEAD') answerGet(path, request, response);
        else answerInPlaceOfSite(path, request, response, log);
      });
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const leadPaths: readonly string[] = leadTypes.map(leadPath);

/** Answers requests that must not reach the site. */
function answerInPlaceOfSite(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  log: (line: string) => void,
): void {
  request.resume();
  if (request.method === 'POST' && path === pageReportPath) response.writeHead(204).end();
  else if (request.method === 'POST' && leadPaths.includes(path)) {
    log(`${path}: the form was not sent to the site`);
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ id: 'development', message: 'Thank you. (Development: not sent.)' }));
  } else sendText(response, 405, 'The development server sends nothing to the site.');
}

/** Ends a response with a page that changes with the sources. */
export function sendPage(response: ServerResponse, html: string): void {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(200, headers).end(html);
}

/** Ends a response with plain text. Drops the connection if the response has begun. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isUnavailable = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const message = `Port ${port} is not available (${error.code}). Name another one with --port.`;
      reject(isUnavailable ? new DevelopmentError(message, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

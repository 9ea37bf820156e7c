import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '@countersign/contracts/program';
import { listen, type ServerAddress } from '../http/server.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Metrics } from './metrics.ts';

interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves only `GET /metrics`, on a separate port, because metrics are not for visitors. On a loopback address it refuses
 * requests to other host names.
 */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  address: ServerAddress,
  log: Log,
): Promise<MetricsServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (isLocal && !isLoopbackHost(request.headers.host)) {
        return void response.writeHead(421, plain).end('This server answers to localhost only.\n');
      }
      const isKnown = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
      if (!isKnown) return void response.writeHead(404, plain).end('There is only GET /metrics here.\n');
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.text());
    } catch (error) {
      log.error('could not collect metrics', { error: describeError(error) });
      response.writeHead(500, plain).end('Could not collect the metrics.\n');
    }
  };
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    void answer(request, response);
  });
  const url = await listen(server, address, 'METRICS');
  const isLocal = isLoopbackHost(new URL(url).host);
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const plain = { 'Content-Type': 'text/plain; charset=utf-8' };

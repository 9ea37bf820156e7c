import { createServer, type RequestListener } from 'node:http';
import { listen, type ServerAddress } from '../server.ts';
import { describeError, type Log } from '../log.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves `GET /metrics`, and nothing else, on a port of its own: it is not for visitors. */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  address: ServerAddress,
  log: Log,
): Promise<MetricsServer> {
  const answer: RequestListener = async (request, response) => {
    try {
      const isKnown = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
      if (!isKnown) return void response.writeHead(404, plain).end('There is only GET /metrics here.\n');
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.text());
    } catch (error) {
      log.error('no metrics', { error: describeError(error) });
      response.writeHead(500, plain).end('The metrics cannot be had just now.\n');
    }
  };
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) =>
    answer(request, response),
  );
  const url = await listen(server, address, 'METRICS');
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

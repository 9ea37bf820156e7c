import { isLoopbackHost } from '@countersign/contracts/program';
import { host, port } from '@countersign/contracts/settings';
import Koa from 'koa';
import * as z from 'zod';
import { startServer, type RunningServer, type ServerAddress } from '../http/server.ts';
import type { Registry } from 'prom-client';
import { describeError, type Log } from '../platform/log.ts';

export const metricsSettings = z.object({
  METRICS_PORT: port().optional().describe('Port of `GET /metrics` for Prometheus; `0` picks a free one'),
  METRICS_HOST: host().default('127.0.0.1').describe('Address to listen on'),
});

/**
 * Serves only `GET /metrics`, on a separate port, because metrics are not for visitors. On a loopback address it refuses
 * requests to other host names, as protection against DNS rebinding.
 */
export async function startMetricsServer(
  metrics: Pick<Registry, 'contentType' | 'metrics'>,
  address: ServerAddress,
  log: Log,
): Promise<RunningServer> {
  const app = new Koa();
  app.on('error', (error) => log.error('could not collect metrics', { error: describeError(error) }));
  app.use(async (ctx) => {
    if (isLocal && !isLoopbackHost(ctx.get('Host'))) {
      ctx.status = 421;
      ctx.body = 'This server answers to localhost only.\n';
    } else if (ctx.path === '/metrics' && ['GET', 'HEAD'].includes(ctx.method)) {
      ctx.set('Content-Type', metrics.contentType);
      ctx.body = await metrics.metrics();
    }
  });
  const server = await startServer(app, address, 'METRICS');
  const isLocal = isLoopbackHost(new URL(server.url).host);
  log.info(`metrics on ${server.url}/metrics`);
  return server;
}

import { isLoopbackHost } from '@countersign/contracts/program';
import Koa from 'koa';
import { startServer, type RunningServer, type ServerAddress } from '../http/server.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Metrics } from './metrics.ts';

/**
 * Serves only `GET /metrics`, on a separate port, because metrics are not for visitors. On a loopback address it refuses
 * requests to other host names, as protection against DNS rebinding.
 */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'contentType' | 'text'>,
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
      ctx.body = await metrics.text();
    }
  });
  const server = await startServer(app, address, {}, 'METRICS');
  const isLocal = isLoopbackHost(new URL(server.url).host);
  return server;
}

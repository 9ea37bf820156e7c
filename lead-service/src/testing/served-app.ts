import type Koa from 'koa';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { startServer } from '../http/server.ts';
import type { Intake } from '../intake/intake.ts';
import { createLeadGuard } from '../intake/lead-guard.ts';
import { createClientLocator } from '../rate-limit/client.ts';
import { openOwnCounter } from '../rate-limit/counters.ts';
import { createMemoryLog, type LoggedLines, type MemoryLog } from './memory-log.ts';
import { postJson } from './send-lead.ts';

/** An app of the service without the rest, on a free port. Disposal stops it. */
export interface ServedApp extends LoggedLines, AsyncDisposable {
  readonly url: string;
  /** Sends a POST with a JSON body. Sends a string unchanged. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Serves the public app with a fake intake, for failures that the real one cannot reproduce. */
export async function serveIntake(
  intake: Intake,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedApp> {
  const log = createMemoryLog();
  const config = readConfig(environment);
  const clientOf = createClientLocator(config.trustedProxyHops, log);
  const guard = createLeadGuard(config, clientOf, openOwnCounter, log);
  return serve(createApp({ intake, guard, log }), log);
}

async function serve(app: Koa, { lines, line }: MemoryLog): Promise<ServedApp> {
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  return {
    ...{ url: server.url, lines, line },
    post: (path, body, headers) => postJson(server.url + path, body, headers),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

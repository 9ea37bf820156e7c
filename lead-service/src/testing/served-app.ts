import type Koa from 'koa';
import { readAbuseConfig, type AbuseConfig } from '../abuse/abuse-config.ts';
import { openOwnCounter, type Counters } from '../abuse/counters.ts';
import { createLeadGuard } from '../abuse/lead-guard.ts';
import { openCounters } from '../abuse/open-counters.ts';
import type { Administration } from '../admin/administration.ts';
import { createAdminApp, createApp } from '../app.ts';
import { planDeliveries } from '../delivery/plan-deliveries.ts';
import { EnvironmentReader } from '../environment-reader.ts';
import { createIntake, type Intake } from '../intake.ts';
import { createSecret } from '../secret.ts';
import { startServer } from '../server.ts';
import { openStores, type Stores } from '../store/open-stores.ts';
import { createMemoryLog, type MemoryLog } from './memory-log.ts';
import type { TestDatabase } from './test-databases.ts';

/** The service inside the test's own process, on a free port. Disposing of it stops it. */
export interface ServedApp extends AsyncDisposable {
  readonly url: string;
  /** Every line logged so far. */
  readonly lines: readonly string[];
  /** Sends a POST with a JSON body. A string is sent as it is. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface ServedStores extends ServedApp {
  readonly stores: Stores;
}

/** Serves with the stores of a database. */
export async function serveDatabase(
  database: TestDatabase,
  abuse: Partial<AbuseConfig> = {},
): Promise<ServedStores> {
  const log = createMemoryLog();
  const stores = await openStores(database.location, database.dataDirectory, log);
  const intake = createIntake(stores.leads, (lead) => planDeliveries(lead, []), log);
  const counters = openCounters(stores, log);
  async function close(): Promise<void> {
    await counters.close();
    await stores.close();
  }
  return { ...(await serve(intake, counters.open, abuse, log, close)), stores };
}

/** Serves with an intake that stands in for the real one, for failures that a real one cannot be made to have. */
export async function serveIntake(
  intake: Intake,
  { abuse = {} }: { readonly abuse?: Partial<AbuseConfig> } = {},
): Promise<ServedApp> {
  return serve(intake, openOwnCounter, abuse, createMemoryLog(), async () => undefined);
}

/** Serves sales' side alone. */
export async function serveAdmin(administration: Administration): Promise<ServedApp> {
  const log = createMemoryLog();
  return listenTo(createAdminApp(administration, { log }), log, async () => undefined);
}

async function serve(
  intake: Intake,
  open: Counters['open'],
  abuse: Partial<AbuseConfig>,
  log: MemoryLog,
  close: () => Promise<void>,
): Promise<ServedApp> {
  const config = { ...readAbuseConfig(new EnvironmentReader({})), ...abuse };
  const guard = createLeadGuard(config, createSecret('a secret of the tests'), open, log);
  return listenTo(createApp({ intake, guard, log }), log, close);
}

async function listenTo(app: Koa, log: MemoryLog, close: () => Promise<void>): Promise<ServedApp> {
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    lines: log.lines,
    post: (path, body, headers = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await close();
    },
  };
}

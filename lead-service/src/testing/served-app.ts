import { formToken, type FormToken } from '@countersign/contracts/lead';
import { EnvironmentReader } from '@countersign/environment/environment-reader';
import type Koa from 'koa';
import type { Administration } from '../admin-http/administration.ts';
import { createAdminApp, createApp } from '../app.ts';
import type { LeadRow } from '../database/tables.ts';
import { planDeliveries } from '../delivery/plan-deliveries.ts';
import { startServer } from '../http/server.ts';
import { createIntake, type Intake } from '../intake/intake.ts';
import { createKeyedHash } from '../platform/keyed-hash.ts';
import { createSecret } from '../platform/secret.ts';
import { readAbuseConfig, type AbuseConfig } from '../rate-limit/abuse-config.ts';
import { createClientLocator } from '../rate-limit/client.ts';
import { openOwnCounter, type Counters } from '../rate-limit/counters.ts';
import { openCounters } from '../rate-limit/open-counters.ts';
import { createLeadGuard } from '../intake/lead-guard.ts';
import { openStores, type Stores } from '../lead-store/open-stores.ts';
import { createMemoryLog, type MemoryLog } from './memory-log.ts';
import type { TestDatabase } from './test-databases.ts';

/** The service within the test process, on a free port. Disposal stops it. */
export interface ServedApp extends AsyncDisposable {
  readonly url: string;
  /** All log lines so far. */
  readonly lines: readonly string[];
  /** Sends a POST with a JSON body. Sends a string unchanged. */
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
  const intake = createIntake(stores.leads, (lead, withheld) => planDeliveries(lead, [], withheld), log);
  const counters = openCounters(stores, log);
  async function close(): Promise<void> {
    await counters.close();
    await stores.close();
  }
  return { ...(await serve(intake, counters.open, abuse, log, close)), stores };
}

/** Serves with a fake intake, for failures that the real one cannot reproduce. */
export async function serveIntake(
  intake: Intake,
  { abuse = {} }: { readonly abuse?: Partial<AbuseConfig> } = {},
): Promise<ServedApp> {
  return serve(intake, openOwnCounter, abuse, createMemoryLog(), async () => undefined);
}

/** Serves only the admin app. */
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
  const secret = createSecret('a secret of the tests');
  const hash = createKeyedHash(secret.deriveKey('rate-limit'));
  const clientOf = createClientLocator(config.trustedProxyHops, hash, log);
  const guard = createLeadGuard(config, secret, clientOf, open);
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

/** Requests a form token, like a form that opens. */
export async function openForm({ url }: { readonly url: string }): Promise<FormToken> {
  return formToken.parse(await (await fetch(`${url}/api/form-token`)).json());
}

/** The stored leads of a served app, the oldest first. */
export function storedLeads({ stores }: ServedStores): Promise<LeadRow[]> {
  return stores.database.db.selectFrom('leads').selectAll().orderBy('id').execute();
}

/** Spam reasons of the newest lead, and whether it is in quarantine. */
export async function newestClassification(app: ServedStores): Promise<{ reasons: string; held: boolean }> {
  const lead = (await storedLeads(app)).at(-1);
  if (lead === undefined) throw new Error('Nothing is stored.');
  return { reasons: lead.spamReasons, held: lead.quarantinedAt !== null };
}

import { createLeadGuard } from './abuse/lead-guard.ts';
import { openCounters } from './abuse/open-counters.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { planDeliveries } from './delivery/plan-deliveries.ts';
import { createIntake } from './intake.ts';
import type { Log } from './log.ts';
import { createSecret, ownSecret } from './secret.ts';
import { startServer } from './server.ts';
import { openStores } from './store/open-stores.ts';

/** The whole service, up and taking leads. */
export interface RunningService {
  readonly url: string;
  /** Accepts nothing more, finishes what is in flight, and closes everything. */
  stop(): Promise<void>;
}

/** Starts all parts of the service. Throws a `StartFailure` that says what its operator can do. */
export async function startService(config: Config, log: Log): Promise<RunningService> {
  const stores = await openStores(config.database, config.dataDirectory, log);
  const counters = openCounters(stores, log);
  async function close(): Promise<void> {
    await counters.close();
    await stores.close();
  }
  try {
    const secret =
      config.secret === undefined ? ownSecret(config.dataDirectory) : createSecret(config.secret);
    const guard = createLeadGuard(config.abuse, secret, counters.open);
    const intake = createIntake(stores.leads, (lead) => planDeliveries(lead, []), log);
    const server = await startServer(createApp({ intake, guard, log }), config);
    log.info(`listening on ${server.url}, leads in ${stores.database.where}`);
    return {
      url: server.url,
      async stop() {
        await server.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

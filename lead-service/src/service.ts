import { createLeadGuard } from './abuse/lead-guard.ts';
import { openCounters } from './abuse/open-counters.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createDelivery } from './delivery/create-delivery.ts';
import { deliverAtOnce } from './delivery/deliver-at-once.ts';
import { planDeliveries } from './delivery/plan-deliveries.ts';
import { createIntake } from './intake.ts';
import type { Log } from './log.ts';
import { startSweeper } from './privacy/sweeper.ts';
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
    const { database } = stores;
    const { dataDirectory } = config;
    const delivery = createDelivery(config.delivery, { database, dataDirectory, log });
    const store = deliverAtOnce(stores.leads, delivery);
    const intake = createIntake(store, (lead) => planDeliveries(lead, delivery.webhooks), log);
    const administration = { tokens: config.admin.tokens, secret, database, dataDirectory };
    const server = await startServer(createApp({ intake, guard, log, administration }), config);
    delivery.start();
    const sweeper = startSweeper({ database, dataDirectory }, config.retention, log);
    log.info(`listening on ${server.url}, leads in ${stores.database.where}`);
    return {
      url: server.url,
      async stop() {
        await Promise.all([server.stop(), delivery.stop(), sweeper.stop()]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

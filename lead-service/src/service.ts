import { setTimeout } from 'node:timers/promises';
import { createLeadGuard } from './abuse/lead-guard.ts';
import { openCounters } from './abuse/open-counters.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createDelivery } from './delivery/create-delivery.ts';
import { deliverAtOnce } from './delivery/deliver-at-once.ts';
import { planDeliveries } from './delivery/plan-deliveries.ts';
import { createIntake } from './intake.ts';
import type { Log } from './log.ts';
import { openOperations } from './operations/operations.ts';
import { createSweeper } from './privacy/sweeper.ts';
import { createSecret, ownSecret } from './secret.ts';
import { startServer } from './server.ts';
import { startAdministration } from './start-administration.ts';
import { openStores } from './store/open-stores.ts';

/** The whole service, up and taking leads. */
export interface RunningService {
  readonly url: string;
  /** Accepts nothing more, finishes what is in flight, and closes everything. */
  stop(): Promise<void>;
}

/** Starts all parts of the service. Throws a `StartFailure` that says what its operator can do. */
export async function startService(config: Config, log: Log): Promise<RunningService> {
  const operations = await openOperations(config.operations, log);
  const { observeCommit, observeDelivery: observe } = operations;
  const stores = await openStores(config.database, config.dataDirectory, log, observeCommit);
  const counters = openCounters(stores, log);
  let stopAdministration = async (): Promise<void> => undefined;
  async function close(): Promise<void> {
    await stopAdministration();
    await counters.close();
    await stores.close();
    await operations.stop();
  }
  try {
    const secret =
      config.secret === undefined ? ownSecret(config.dataDirectory) : createSecret(config.secret);
    const guard = createLeadGuard(config.abuse, secret, counters.open, log);
    const { database } = stores;
    const { dataDirectory } = config;
    const delivery = createDelivery(config.delivery, { database, dataDirectory, log, observe });
    const store = deliverAtOnce(operations.watchStore(stores.leads), delivery);
    const intake = operations.countAccepts(
      createIntake(store, (lead) => planDeliveries(lead, delivery.webhooks), log),
    );
    const sweeper = createSweeper({ database, dataDirectory }, config.retention, log);
    const watch = await operations.watch(stores, sweeper);
    const desk = { secret, database, dataDirectory };
    const administration = await startAdministration(config.admin, desk, { log, watch });
    stopAdministration = administration.stop;
    const server = await startServer(createApp({ intake, guard, log, watch }), config);
    // Not before: a service that cannot start says nothing but why.
    if (config.operations.livePage === undefined) {
      log.warn('no LIVE_PAGE is set: reports of the page are counted without versions');
    }
    delivery.start();
    sweeper.start();
    log.info(`listening on ${server.url}, leads in ${stores.database.where}`);
    return {
      url: server.url,
      async stop() {
        watch.readiness.beginDraining();
        await setTimeout(config.operations.stopDelaySeconds * 1_000);
        // Everything that was accepted is answered, and so committed, before anything that it needs goes.
        await server.stop();
        await Promise.all([delivery.stop(), sweeper.stop()]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

import { createApp } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { createProcessLog } from './log.ts';
import { startServer } from './server.ts';
import { StartFailure } from './start-failure.ts';
import { stopRequest } from './stop-request.ts';
import { openLeadStore } from './store/lead-store.ts';

const log = createProcessLog();
const stopRequested = stopRequest();

/** Serves until asked to stop. */
async function serve({ database, host, port }: Config): Promise<void> {
  const store = await openLeadStore(database, log);
  try {
    const server = await startServer(createApp({ store, log }), { host, port });
    log.info(`listening on ${server.url}, leads in ${store.where}`);
    log.info(`stopping (${await stopRequested})`);
    await server.stop();
  } finally {
    await store.close();
  }
}

/** Runs the service and returns the exit code. */
async function run(): Promise<number> {
  const result = readConfig();
  if (!result.valid) {
    for (const fault of result.faults) log.error(fault);
    return 1;
  }
  try {
    await serve(result.config);
    return 0;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    log.error(error.message);
    return 1;
  }
}

// Exits by itself: an IPC channel would keep the process alive.
process.exit(await run());

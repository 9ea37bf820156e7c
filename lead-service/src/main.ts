import { readConfig } from './config.ts';
import { createProcessLog, type Log } from './log.ts';
import { startService } from './service.ts';
import { StartFailure } from './start-failure.ts';
import { stopRequest } from './stop-request.ts';

const stopRequested = stopRequest();

/** Runs the service until it is asked to stop, and returns the exit code. */
async function run(): Promise<number> {
  const result = readConfig();
  // Faults in the settings are for the person who has just set them.
  const log: Log = result.valid
    ? createProcessLog(result.config.logFormat, result.config.logLevel)
    : createProcessLog('text');
  if (!result.valid) {
    for (const fault of result.faults) log.error(fault);
    return 1;
  }
  try {
    const service = await startService(result.config, log);
    log.info(`stopping (${await stopRequested})`);
    await service.stop();
    return 0;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    log.error(error.message);
    return 1;
  }
}

// Exits by itself: an IPC channel would keep the process alive.
process.exit(await run());

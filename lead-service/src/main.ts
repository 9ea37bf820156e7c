import { readArguments } from '@countersign/contracts/arguments';
import { ignoreOutputErrors } from '@countersign/contracts/program';
import { readConfig } from './config.ts';
import { createProcessLog } from './platform/log.ts';
import { StartupError } from './platform/explained-error.ts';
import { startService } from './service.ts';

readArguments('node lead-service/src/main.ts');
ignoreOutputErrors();
const stopRequested = stopRequest();

/** Runs the service until a shutdown is requested, and returns the exit code. */
async function run(): Promise<number> {
  // Mistakes in the settings are always logged as text, because a person has just edited them.
  let log = createProcessLog('text');
  try {
    const config = readConfig();
    log = createProcessLog(config.LOG_FORMAT);
    // A start that waits, such as for a database, ends with the process.
    const service = await Promise.race([startService(config, log), stopRequested]);
    if (typeof service !== 'string') sendOrigins({ site: service.url, admin: service.adminUrl });
    log.info(`stopping (${await stopRequested})`);
    if (typeof service !== 'string') await service.stop();
    return 0;
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    log.error(error.message);
    return 1;
  }
}

// An explicit exit, because an open IPC channel would keep the process alive.
process.exit(await run());

/** Sends the origins of the service to `npm start`, if that is the parent process. If it has ended, the channel closes. */
function sendOrigins(origins: { readonly site: string; readonly admin: string | undefined }): void {
  if (process.connected) process.send?.(origins, undefined, undefined, () => undefined);
}

/**
 * Resolves with the reason for a graceful shutdown: SIGTERM, SIGINT, or the end of the IPC channel to the parent process, such as
 * `npm start`. Called before the start, so that it misses no signal. Later signals have no effect, so that the shutdown can finish.
 */
function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    // After the channel has closed, `send` is still defined, but `connected` is false.
    if (process.send === undefined) return;
    if (process.connected) process.on('disconnect', () => resolve('disconnect'));
    else resolve('disconnect');
  });
}

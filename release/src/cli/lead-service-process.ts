import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createReportsToken, shareLocalReports } from '../canary/local-reports.ts';
import { childEnvironment } from '../platform/child-environment.ts';
import type { ReleaseConfig } from './config.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { projectFolder } from './build-parts.ts';
import { aborted } from '../platform/stop-signal.ts';

/**
 * Starts the lead service and waits until it listens. Prints its log. `watch` can read its page reports until it ends.
 *
 * @param livePage default of LIVE_PAGE, the file from which the service reads the live versions
 */
export async function startLeadService(
  { leadsPort, dataFolder, adminTokens }: ReleaseConfig,
  livePage: string,
  stopping: AbortSignal,
) {
  const { token, entry } = createReportsToken();
  const admin = adminSettings(entry, adminTokens);
  const service = spawn(process.execPath, [join(projectFolder, 'lead-service', 'src', 'main.ts')], {
    cwd: projectFolder,
    // By the IPC channel, the service sends its origins, and learns that its parent has exited, even after a SIGKILL.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: childEnvironment(
      {
        LEADS_PORT: String(leadsPort),
        DATA_DIR: leadsFolder(dataFolder),
        LOG_FORMAT: 'text',
        ...admin.variables,
      },
      // Defaults. The site server is a reverse proxy, and sets X-Forwarded-For.
      { TRUSTED_PROXY_HOPS: '1', LIVE_PAGE: livePage },
    ),
  });
  const ended = once(service, 'exit');
  /** Sends SIGTERM, and resolves after the graceful shutdown. */
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  printLog(service, admin.hasInbox);
  const listening = once(service, 'message').then(([origins]) => origins as Record<'site' | 'admin', string>);
  const origins = await Promise.race([listening, ended.then(() => undefined), aborted(stopping)]);
  if (!origins || origins === 'aborted') {
    await stop();
    throw new ReleaseError('The lead service did not start. Correct the errors above.');
  }
  const endSharing = shareLocalReports(dataFolder, { url: origins.admin, token });
  void ended.then(endSharing);
  return { origin: origins.site, ended, stop };
}

/** Settings that add a token to others. Without others, no person can log in to the inbox, so the API listens on any free loopback port. */
export function adminSettings(entry: string, others: string | undefined) {
  if (others) return { hasInbox: true, variables: { ADMIN_TOKENS: `${others},${entry}` } };
  return {
    hasInbox: false,
    variables: { ADMIN_TOKENS: entry, ADMIN_HOST: '127.0.0.1', ADMIN_PORT: '0' },
  };
}

/** `leads/`, unless a standalone lead service has stored its leads in the folder itself. */
export function leadsFolder(dataFolder: string): string {
  const files = ['leads.sqlite', 'spool.sqlite'].map((name) => join(dataFolder, name));
  return files.some((file) => existsSync(file)) ? dataFolder : join(dataFolder, 'leads');
}

/** Prints the log of the service, without the address of an inbox to which no person can log in. */
function printLog({ stdout }: ChildProcess, hasInbox: boolean): void {
  if (!stdout) throw new TypeError('The lead service was spawned without an output pipe.');
  createInterface(stdout).on('line', (line) => {
    if (hasInbox || !line.includes('inbox on')) console.log(line);
  });
}

import { createClientLocator } from './abuse/client.ts';
import { createKeyedHash } from './abuse/keyed-hash.ts';
import type { AdminConfig } from './admin/admin-config.ts';
import type { Administration } from './admin/administration.ts';
import { createFailedLogins } from './admin/failed-logins.ts';
import { createAdminApp } from './app.ts';
import type { Log } from './log.ts';
import type { Watch } from './operations/operations.ts';
import { startServer } from './server.ts';

export interface RunningAdministration {
  stop(): Promise<void>;
}

/** Serves sales' side on an address of its own, which no proxy for visitors leads to. Without a token nothing listens. */
export async function startAdministration(
  { tokens, address, trustedProxyHops }: AdminConfig,
  desk: Omit<Administration, 'tokens' | 'failedLogins'>,
  { log, watch }: { readonly log: Log; readonly watch: Watch },
): Promise<RunningAdministration> {
  if (tokens.length === 0) return { stop: async () => undefined };
  const hash = createKeyedHash(desk.secret.deriveKey('rate-limit'));
  const clientOf = createClientLocator(trustedProxyHops, hash, log, 'ADMIN_TRUSTED_PROXY_HOPS');
  const failedLogins = createFailedLogins(desk.database, clientOf, log);
  const app = createAdminApp({ ...desk, tokens, failedLogins }, { log, watch });
  try {
    const server = await startServer(app, address, {}, 'ADMIN');
    log.info(`inbox on ${server.url}/admin/inbox`);
    return {
      async stop() {
        await server.stop();
        await failedLogins.close();
      },
    };
  } catch (error) {
    await failedLogins.close();
    throw error;
  }
}

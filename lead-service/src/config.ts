import * as z from 'zod';
import { mistakesInTokens, tokenSettings } from './admin/admin-token.ts';
import { retentionSettings } from './admin/retention.ts';
import { databaseSettings } from './database/database-settings.ts';
import { deliverySettings, mistakesInDelivery } from './delivery/delivery-settings.ts';
import { originSettings } from './http/origin.ts';
import { serverSettings } from './http/server.ts';
import { metricsSettings } from './observability/metrics-server.ts';
import { livePageSettings } from './page-reports/live-page.ts';
import { logSettings } from './platform/log.ts';
import { secretSettings } from './platform/secret.ts';
import { readSettings } from './platform/settings.ts';
import { quotaSettings } from './rate-limit/limit-clients.ts';

/**
 * The settings of all rooms, which docs/lead-service/settings.md lists with `shown` in place of the default. An error message
 * continues the name of its variable: `LOG_FORMAT must be json or text.`
 */
export const settings = z.object({
  ...databaseSettings.shape,
  ...secretSettings.shape,
  ...serverSettings.shape,
  ...quotaSettings.shape,
  ...originSettings.shape,
  ...deliverySettings.shape,
  ...tokenSettings.shape,
  ...retentionSettings.shape,
  ...logSettings.shape,
  ...metricsSettings.shape,
  ...livePageSettings.shape,
});

const consistentSettings = settings.superRefine((values, context) => {
  if (values.DATABASE_URL && !values.LEADS_SECRET) {
    context.addIssue(
      'LEADS_SECRET is missing. Set it to the same 32 random characters or more for every instance on the database, for example from "openssl rand -base64 32".',
    );
  }
  for (const mistake of [...mistakesInDelivery(values), ...mistakesInTokens(values)]) {
    context.addIssue(mistake);
  }
});

export type Config = z.output<typeof settings>;

/** Reads the environment of the service. Throws a {@link StartupError} with the mistakes, those between settings once each setting is valid. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readSettings(consistentSettings, environment);
}

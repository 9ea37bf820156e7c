import * as z from 'zod';
import { retentionSettings } from '../admin/retention.ts';
import { databaseSettings } from '../database/database-settings.ts';
import { deliverySettings } from '../delivery/delivery-settings.ts';
import { readSettings } from '../platform/settings.ts';

/** Settings of commands that work on leads next to a running service. They need none of its secrets. */
const commandSettings = z.object({
  ...databaseSettings.shape,
  // Without a default, because the service may keep leads for longer.
  RETENTION_DAYS: retentionSettings.shape.RETENTION_DAYS.unwrap().optional(),
  // For an import of leads, which plans deliveries.
  ...deliverySettings.pick({ WEBHOOKS: true }).shape,
});

export type CommandConfig = z.output<typeof commandSettings>;

/** Reads the environment of a command. Throws a {@link StartupError} with all mistakes. */
export const readCommandConfig = (): CommandConfig => readSettings(commandSettings, process.env);

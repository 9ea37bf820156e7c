import * as z from 'zod/mini';
import { leadTypes } from '@countersign/contracts/lead';
import { leadAttribution } from '@countersign/contracts/lead-submission';
import { acceptLeads, idempotencyOfItself } from '../database/accept-leads.ts';
import type { LeadRow } from '../database/tables.ts';
import { planDeliveries } from '../delivery/outbox-queue.ts';
import { invalidRequest } from '../http/errors.ts';
import type { AdminContext } from './admin-context.ts';
import type { LeadView } from './lead-view.ts';

const batchSize = 100;

const exportedLead = z.object({
  id: z.uuid(),
  type: z.enum(leadTypes),
  receivedAt: z.iso.datetime(),
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  message: z.string(),
  attribution: leadAttribution,
  releaseId: z.nullable(z.string()),
  spamScore: z.int(),
  spamReasons: z.array(z.string()),
  quarantinedAt: z.nullable(z.iso.datetime()),
  /** Deliveries that were not made, also dead letters. */
  pendingDeliveries: z.int(),
});

/**
 * Imports leads that `export --format jsonl` wrote. Leads that are there already, by their id, stay as they are. If a line is malformed,
 * throws a 422 error before any import. The deliveries of leads in quarantine, and of those that had pending ones, are planned again.
 *
 * @param webhooks names of the webhook endpoints
 * @returns the number of leads that are new
 */
export async function importLeads(
  { database }: AdminContext,
  lines: readonly string[],
  webhooks: readonly string[],
): Promise<number> {
  const leads = lines.map(parseLine);
  let imported = 0;
  for (let first = 0; first < leads.length; first += batchSize) {
    const batch = leads.slice(first, first + batchSize);
    imported += await database.db.transaction().execute(async (transaction) => {
      const ids = batch.map(({ lead }) => lead.id);
      const existing = await transaction.selectFrom('leads').select('id').where('id', 'in', ids).execute();
      const known = new Set(existing.map(({ id }) => id));
      const missing = batch.filter(({ lead }) => !known.has(lead.id));
      await acceptLeads(
        { db: transaction, access: database.access },
        missing.map(({ lead, isDelivered }) => ({
          lead,
          idempotency: idempotencyOfItself(lead),
          outbox: isDelivered ? [] : planDeliveries(lead, webhooks),
        })),
      );
      return missing.length;
    });
  }
  return imported;
}

function parseLine(line: string, index: number) {
  const { success, data } = exportedLead.safeParse(readJson(line));
  if (!success) {
    throw invalidRequest(
      `Line ${index + 1} is no lead. Import a file of "export --format jsonl". Nothing was imported.`,
    );
  }
  const { pendingDeliveries, attribution, spamReasons, ...row } = data;
  const isDelivered = pendingDeliveries === 0 && row.quarantinedAt === null;
  const lead: LeadRow = {
    ...row,
    attribution: JSON.stringify(attribution),
    spamReasons: JSON.stringify(spamReasons),
  };
  return { lead, isDelivered };
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Drops the parser's error, because its message quotes the line.
    return undefined;
  }
}

/** Adds to exported leads how many of their deliveries are still to be made. An import plans held ones again without a count. */
export async function* withPendingDeliveries(
  { database: { db } }: AdminContext,
  leads: AsyncIterable<LeadView>,
): AsyncGenerator<LeadView & { readonly pendingDeliveries: number }> {
  const undelivered = db.selectFrom('outbox').select('id').where('state', 'in', ['pending', 'dead']);
  for await (const lead of leads) {
    const { length } = await undelivered.where('leadId', '=', lead.id).execute();
    yield { ...lead, pendingDeliveries: length };
  }
}

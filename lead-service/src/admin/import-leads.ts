import * as z from 'zod';
import { insertLeads, idempotencyOfItself, withoutStored } from '../database/insert-leads.ts';
import { lockAndSkipErased } from '../database/erasures.ts';
import { leadSchema } from '../database/tables.ts';
import { rowOf } from '../database/lead-view.ts';
import { planDeliveries } from '../lead-store/lead-store.ts';
import { invalidRequest } from '../platform/refusal.ts';
import type { AdminContext } from './admin-context.ts';

const batchSize = 100;

const exportedLead = leadSchema.extend({
  /** Deliveries that were not made, also dead letters. */
  pendingDeliveries: z.int(),
  /** Of a lead in quarantine. Backups of earlier versions lack it. */
  heldDeliveries: z.int().optional(),
});

/**
 * Imports leads that `export --format jsonl` wrote. Leads that are there already, by their id, stay as they are. If a line is malformed,
 * throws a refusal before any import. Leads of people who were erased later are left out. All deliveries of a lead that had pending or
 * held ones are planned again.
 *
 * @param lines read twice, because the first pass checks all of them, and memory does not hold them
 * @param webhooks names of the webhook endpoints
 * @returns the number of leads, of those that are new or left out, and of the deliveries that are planned
 */
export async function importLeads(
  { database }: AdminContext,
  lines: AsyncIterable<string> | Iterable<string>,
  webhooks: readonly string[],
): Promise<Readonly<Record<'total' | 'imported' | 'erased' | 'planned', number>>> {
  const counts = { total: 0, imported: 0, erased: 0, planned: 0 };
  for await (const { length } of batchesOf(lines)) counts.total += length;
  for await (const batch of batchesOf(lines)) {
    await database.db.transaction().execute(async (db) => {
      const target = { db, access: database.access };
      // Two backups in one file contain most leads twice.
      const leads = [...new Map(batch.map((each) => [each.lead.id, each])).values()];
      // First, because its lock makes a concurrent import wait, which then finds these leads stored.
      const kept = await lockAndSkipErased(target, leads);
      const toStore = (await withoutStored(db, kept)).map(({ lead, isDelivered }) => ({
        lead,
        idempotency: idempotencyOfItself(lead),
        outbox: isDelivered ? [] : planDeliveries(lead, webhooks),
      }));
      const outcomes = await insertLeads(target, toStore);
      counts.erased += leads.length - kept.length;
      counts.imported += outcomes.filter(({ kind }) => kind === 'stored').length;
      counts.planned += toStore.flatMap(({ outbox }) => outbox).length;
    });
  }
  return counts;
}

async function* batchesOf(lines: AsyncIterable<string> | Iterable<string>) {
  let batch: ReturnType<typeof parseLine>[] = [];
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== '') batch.push(parseLine(line, number));
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function parseLine(line: string, number: number) {
  const { success, data } = exportedLead.safeParse(readJson(line));
  if (!success) {
    throw invalidRequest(
      `Line ${number} is no lead. Import a file of "export --format jsonl". Nothing was imported.`,
    );
  }
  const { pendingDeliveries, heldDeliveries = data.quarantinedAt === null ? 0 : 1, ...lead } = data;
  return { lead: rowOf(lead), isDelivered: pendingDeliveries + heldDeliveries === 0 };
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Drops the parser's error, because its message quotes the line.
    return undefined;
  }
}

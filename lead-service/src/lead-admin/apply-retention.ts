import { leadTypes, type LeadType } from '@countersign/contracts/lead';
import { inBatches } from '../platform/in-batches.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { eraseWithin, type ErasedLeads } from './erase-leads.ts';
import { removeMailFiles } from './mail-files.ts';
import { removeExpired } from './remove-expired.ts';
import { purgeOrphans } from './purge-orphans.ts';
import { noteRun } from './retention-clock.ts';
import type { RetentionConfig } from './retention-config.ts';

const batchSize = 100;
const day = 24 * 60 * 60_000;

interface RetentionResult {
  readonly leads: number;
  /** Number of removed idempotency records and counts of page reports. */
  readonly expired: number;
}

/** A set of leads to erase: of one type, either in quarantine or not, and received before a time. */
interface Limit {
  readonly type: LeadType;
  readonly isQuarantined: boolean;
  readonly before: string;
}

interface RetentionOptions {
  /** Called after each batch with the number of leads erased so far. */
  erased?(leads: number): void;
  /** Aborts between two batches by throwing its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Erases leads past their limit, and removes expired rows. Services may run it concurrently, because each skips rows that
 * another has locked.
 */
export async function applyRetention(
  context: AdminContext,
  retention: RetentionConfig,
  { erased = () => undefined, signal }: RetentionOptions = {},
): Promise<RetentionResult> {
  const { db, access } = context.database;
  let leads = 0;
  for (const limit of limitsOf(retention, Date.now())) {
    await inBatches(signal, async () => {
      const batch = await eraseBatch(context, limit);
      await removeMailFiles(context.dataDirectory, batch.outboxIds);
      leads += batch.leads;
      if (batch.leads > 0) erased(leads);
      return batch.leads > 0;
    });
  }
  await purgeOrphans(context, signal);
  const expired = await removeExpired(context.database, retention, new Date(), signal);
  await noteRun(db, new Date());
  // After an abort, closing the database does that.
  if (leads > 0) await access.scrub(db);
  return { leads, expired };
}

/** The shortest limit of each set of leads that has one. */
function limitsOf({ days, quarantineDays }: RetentionConfig, now: number): Limit[] {
  function limitOf(type: LeadType, isQuarantined: boolean, ...limits: readonly number[]): Limit[] {
    const shortest = Math.min(...limits.filter((limit) => limit > 0));
    if (shortest === Infinity) return [];
    return [{ type, isQuarantined, before: new Date(now - shortest * day).toISOString() }];
  }
  return leadTypes.flatMap((type) => [
    ...limitOf(type, false, days[type]),
    ...limitOf(type, true, days[type], quarantineDays),
  ]);
}

function eraseBatch(
  { database, actor }: AdminContext,
  { type, isQuarantined, before }: Limit,
): Promise<ErasedLeads> {
  const { db, access } = database;
  return db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('leads')
      .select('id')
      .where('type', '=', type)
      .where('quarantinedAt', isQuarantined ? 'is not' : 'is', null)
      .where('erasedAt', 'is', null)
      .where('receivedAt', '<', before)
      .orderBy('receivedAt')
      .limit(batchSize)
      .$if(access.skipsLocked, (query) => query.forUpdate().skipLocked())
      .execute();
    const ids = rows.map(({ id }) => id);
    const erased = await eraseWithin(transaction, ids, new Date().toISOString(), access);
    await recordAudit(
      transaction,
      actor,
      ids.map((leadId) => ({ action: 'lead.retention', leadId })),
    );
    return erased;
  });
}

import { leadTypes, type LeadType } from '@countersign/contracts/lead';
import { recordAudit } from '../sales/audit.ts';
import type { Desk } from '../sales/desk.ts';
import { eraseWithin, type ErasedLeads } from './erase-leads.ts';
import { inGroups } from '../in-groups.ts';
import { removeMailFiles } from './mail-files.ts';
import { removeExpired } from './remove-expired.ts';
import { removeRemains } from './remove-remains.ts';
import { noteRun } from './retention-clock.ts';
import type { RetentionConfig } from './retention-config.ts';

const mostAtOnce = 100;
const day = 24 * 60 * 60_000;

/** What a sweep has done. */
export interface Swept {
  /** Leads erased because they have been kept long enough. */
  readonly leads: number;
  /** Idempotency records, limits and days of confirmations that mean nothing any more. */
  readonly expired: number;
}

/** One group of leads with one limit. */
interface Limit {
  readonly type: LeadType;
  readonly isQuarantined: boolean;
  readonly before: string;
}

interface SweepOptions {
  /** Is told how many leads were erased so far. */
  erased?(leads: number): void;
  /** Breaks off between two groups, by throwing its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Erases what has been kept for long enough, and removes what has expired. Any number of services may do it at once:
 * each takes what no other has taken.
 */
export async function sweep(
  desk: Desk,
  retention: RetentionConfig,
  { erased = () => undefined, signal }: SweepOptions = {},
): Promise<Swept> {
  const { db, access } = desk.database;
  let leads = 0;
  for (const limit of limitsOf(retention, Date.now())) {
    await inGroups(signal, async () => {
      const some = await eraseSome(desk, limit);
      await removeMailFiles(desk.dataDirectory, some.outboxIds);
      leads += some.leads;
      if (some.leads > 0) erased(leads);
      return some.leads > 0;
    });
  }
  await removeRemains(desk, signal);
  const expired = await removeExpired(desk.database, new Date(), signal);
  await noteRun(db, new Date());
  // Broken off before, it is done when the database is closed.
  if (leads > 0) await access.scrub(db);
  return { leads, expired };
}

function limitsOf({ days, quarantineDays }: RetentionConfig, now: number): Limit[] {
  return leadTypes.flatMap((type) => {
    const quarantined = [days[type], quarantineDays].filter((limit) => limit > 0);
    return [
      { type, isQuarantined: false, days: days[type] },
      { type, isQuarantined: true, days: quarantined.length > 0 ? Math.min(...quarantined) : 0 },
    ]
      .filter((limit) => limit.days > 0)
      .map(({ days: limit, ...group }) => ({ ...group, before: new Date(now - limit * day).toISOString() }));
  });
}

function eraseSome({ database, actor }: Desk, { type, isQuarantined, before }: Limit): Promise<ErasedLeads> {
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
      .limit(mostAtOnce)
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

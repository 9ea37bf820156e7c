import { leadTypes, type LeadType } from '@countersign/contracts/lead';
import { recordAudit } from '../sales/audit.ts';
import type { Desk } from '../sales/desk.ts';
import { eraseWithin, type ErasedLeads } from './erase-leads.ts';
import { listMailFiles, removeMailFiles } from './mail-files.ts';
import { removeExpired } from './remove-expired.ts';
import type { RetentionConfig } from './retention-config.ts';

const mostAtOnce = 200;
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

/**
 * Erases what has been kept for long enough, and removes what has expired. Any number of services may do it at once:
 * each takes what no other has taken.
 *
 * @param erased is told how many leads were erased so far
 */
export async function sweep(
  desk: Desk,
  retention: RetentionConfig,
  erased: (leads: number) => void = () => undefined,
): Promise<Swept> {
  const { db, access } = desk.database;
  let leads = 0;
  for (const limit of limitsOf(retention, Date.now())) {
    for (;;) {
      const some = await eraseSome(desk, limit);
      await removeMailFiles(desk.dataDirectory, some.outboxIds);
      if (some.leads === 0) break;
      leads += some.leads;
      erased(leads);
    }
  }
  await removeRemains(desk);
  const expired = await removeExpired(desk.database, new Date());
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
      .orderBy('id')
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

/**
 * What came after a lead was erased or lies on another machine than the one that erased it: answers to deliveries that
 * were under way, and files of mails.
 */
async function removeRemains({ database: { db }, dataDirectory }: Desk): Promise<void> {
  const erasedOutbox = db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'outbox.leadId')
    .select('outbox.id')
    .where('leads.erasedAt', 'is not', null);
  await db
    .updateTable('deliveryAttempts')
    .set({ answer: '' })
    .where('answer', '!=', '')
    .where('outboxId', 'in', erasedOutbox)
    .execute();
  const files = await listMailFiles(dataDirectory);
  for (let first = 0; first < files.length; first += mostAtOnce) {
    const some = files.slice(first, first + mostAtOnce);
    const rows = await erasedOutbox.where('outbox.id', 'in', some).execute();
    await removeMailFiles(
      dataDirectory,
      rows.map(({ id }) => id),
    );
  }
}

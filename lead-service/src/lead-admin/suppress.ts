import type { SuppressedAddressRow } from '../database/tables.ts';
import { allowAddress, listSuppressed, suppressAddress } from '../delivery/suppressed-addresses.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { readAudited } from './read-audited.ts';

/** Suppresses or allows confirmations to an address. */
export async function setSuppressed(
  { database, actor }: AdminContext,
  email: string,
  isSuppressed: boolean,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    if (isSuppressed) await suppressAddress(transaction, email, 'by hand');
    else await allowAddress(transaction, email);
    await recordAudit(transaction, actor, [
      { action: isSuppressed ? 'address.suppress' : 'address.unsuppress' },
    ]);
  });
}

/** Suppressed addresses, as hashes, the oldest first. */
export function readSuppressed(context: AdminContext): Promise<SuppressedAddressRow[]> {
  return readAudited(context, listSuppressed, (addresses) => [
    { action: 'address.list', details: { count: addresses.length } },
  ]);
}

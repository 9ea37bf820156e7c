import { allowAddress, listSuppressed, suppressAddress } from '../delivery/suppressed-addresses.ts';
import type { SuppressedAddressRow } from '../store/tables.ts';
import { recordAudit } from './audit.ts';
import type { Desk } from './desk.ts';
import { readAudited } from './read-audited.ts';

/** Decides whether an address may get confirmations. */
export async function setSuppressed(
  { database, actor }: Desk,
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

/** Addresses that get no confirmations, as hashes, the oldest first. */
export function readSuppressed(desk: Desk): Promise<SuppressedAddressRow[]> {
  return readAudited(desk, listSuppressed, (addresses) => [
    { action: 'address.list', details: { count: addresses.length } },
  ]);
}

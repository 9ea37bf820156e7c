import { allowAddress, suppressAddress } from '../delivery/suppressed-addresses.ts';
import { recordAudit } from './audit.ts';
import type { Desk } from './desk.ts';

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

import type { PartName } from '@countersign/contracts/remotes';
import { every, readOwners } from '../deploy/read-owners.ts';
import { ReleaseError } from '../platform/release-error.ts';

/** Throws a {@link ReleaseError} unless the owners' file lists the releaser as an owner of the part. */
export async function assertOwner(ownersFile: string, part: PartName, releaser: string): Promise<void> {
  const listed = readOwners(ownersFile);
  const names = listed[part] ?? listed[every] ?? [];
  if (names.includes(every) || names.includes(releaser)) return;
  const list = names.length > 0 ? names.join(', ') : 'none';
  throw new ReleaseError(
    `${releaser} may not release ${part}: its owners are ${list}. Ask one of them, or to be added to ${ownersFile}.`,
  );
}

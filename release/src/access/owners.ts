import { readFileSync } from 'node:fs';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseError } from '../platform/release-error.ts';

/** Stands for every part, or for every releaser. */
const every = '*';

/** Part → names of its owners. The key `*` holds for parts that are not listed, the name `*` for every releaser. */
const owners = z.partialRecord(z.enum([...partNames, every]), z.array(z.string()));
export type Owners = Readonly<z.infer<typeof owners>>;

/** Names of the owners of a part. `*` stands for every releaser. */
export function ownersOf(listed: Owners, part: PartName): readonly string[] {
  return listed[part] ?? listed[every] ?? [];
}

/** Throws a {@link ReleaseError} unless the owners' file lists the releaser as an owner of the part. */
export async function assertOwner(ownersFile: string, part: PartName, releaser: string): Promise<void> {
  const names = ownersOf(readOwners(ownersFile), part);
  if (names.includes(every) || names.includes(releaser)) return;
  const list = names.length > 0 ? names.join(', ') : 'none';
  throw new ReleaseError(
    `${releaser} may not release ${part}: its owners are ${list}. Ask one of them, or to be added to ${ownersFile}.`,
  );
}

/** Reads the owners' file. Throws a {@link ReleaseError} if it is invalid. */
export function readOwners(file: string): Owners {
  try {
    return owners.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new ReleaseError(
      `${file} is not a valid owners' file. Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`,
      { cause },
    );
  }
}

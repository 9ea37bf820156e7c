import { readFile } from 'node:fs/promises';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseError } from '../platform/release-error.ts';

/** Stands for every part, or for every releaser. */
const every = '*';

/** Part → names of its owners. The key `*` holds for parts that are not listed, the name `*` for every releaser. */
const owners = z.partialRecord(z.enum([...partNames, every]), z.array(z.string()));

/** Throws a {@link ReleaseError} unless the owners' file lists the releaser as an owner of the part. */
export async function assertOwner(ownersFile: string, part: PartName, releaser: string): Promise<void> {
  const listed = await readOwners(ownersFile);
  const names = listed[part] ?? listed[every] ?? [];
  if (names.includes(every) || names.includes(releaser)) return;
  const list = names.length > 0 ? names.join(', ') : 'none';
  throw new ReleaseError(
    `${releaser} may not release ${part}: its owners are ${list}. Ask one of them, or to be added to ${ownersFile}.`,
  );
}

async function readOwners(file: string): Promise<z.infer<typeof owners>> {
  try {
    return owners.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new ReleaseError(
      `${file} is not a valid owners' file. Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`,
      { cause },
    );
  }
}

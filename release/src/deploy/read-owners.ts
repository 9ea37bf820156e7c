import { readFileSync } from 'node:fs';
import { partNames } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseError } from '../platform/release-error.ts';

/** Stands for every part, or for every releaser. */
export const every = '*';

/** Part → names of its owners. The key `*` holds for parts that are not listed, the name `*` for every releaser. */
const owners = z.partialRecord(z.enum([...partNames, every]), z.array(z.string()));

/** Reads the owners' file. Throws a {@link ReleaseError} if it is invalid. */
export function readOwners(file: string): z.infer<typeof owners> {
  try {
    return owners.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new ReleaseError(
      `${file} is not a valid owners' file. Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`,
      { cause },
    );
  }
}

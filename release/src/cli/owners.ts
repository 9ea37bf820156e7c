import { readFile } from 'node:fs/promises';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseFault } from './release-fault.ts';

/** Part → names of those who may release it. `*` stands for everybody. */
const owners = z.record(z.enum(partNames), z.array(z.string()));

/** Throws a {@link ReleaseFault} unless the releaser is one of the part's owners, as the file names them. */
export async function assertOwner(ownersFile: string, part: PartName, releaser: string): Promise<void> {
  const names = (await readOwners(ownersFile))[part];
  if (names.includes('*') || names.includes(releaser)) return;
  const list = names.length > 0 ? names.join(', ') : 'nobody';
  throw new ReleaseFault(
    `${releaser} may not release ${part}: its owners are ${list}. Ask one of them, or to be added to ${ownersFile}.`,
  );
}

async function readOwners(file: string): Promise<z.infer<typeof owners>> {
  try {
    return owners.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new ReleaseFault(
      `${file} does not say who owns which part. It must hold a list of names for each of ${partNames.join(', ')}.`,
      { cause },
    );
  }
}

import { readFileSync } from 'node:fs';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseError } from '../store/release-error.ts';

/** As a key of the file: all parts that are not listed. As a name: every releaser. */
const every = '*';

/** `publish`: to store versions. `release`: to change what visitors get. */
export type Right = 'publish' | 'release';

const names = z.array(z.string());
/** Names of the releasers with each right on a part. */
const rights = z.strictObject({ publish: names, release: names });
type Rights = Readonly<Record<Right, readonly string[]>>;

/** The owners' file: part → names of its owners, as one list or by right. */
const owners = z.partialRecord(z.enum([...partNames, every]), z.union([names, rights]));
export type Owners = Readonly<Partial<Record<PartName | typeof every, Rights>>>;

/** Part, or `*` for all that are not listed → names of its owners with any right. */
export type OwnerNames = Partial<Record<PartName | typeof every, string[]>>;

/** Names of the owners of a part. `*` stands for every releaser. */
export function ownersOf(listed: Readonly<OwnerNames>, part: PartName): readonly string[] {
  return listed[part] ?? listed[every] ?? [];
}

/** Throws a {@link ReleaseError} unless the owners' file gives the releaser a right on the part. */
export function assertOwner(listed: Owners, part: PartName, releaser: string, right: Right): void {
  const found = rightsOf(listed, part);
  const has = (allowed: readonly string[]) => allowed.includes(every) || allowed.includes(releaser);
  if (has(found[right])) return;
  const isOwner = Object.values(found).some(has);
  const names = isOwner ? found[right] : found.release;
  throw new ReleaseError(
    `${releaser} may not ${isOwner ? right : 'release'} ${part}: ${isOwner ? 'the owners with this right' : 'its owners'} are ${names.join(', ') || 'none'}. Ask one of them, or to be added to the owners' file.`,
  );
}

/** Throws a {@link ReleaseError} unless the releaser may release in spite of violations, as only owners of the shell may. */
export function assertMayForce(listed: Owners, releaser: string): void {
  const { release } = rightsOf(listed, 'shell');
  if (release.includes(every) || release.includes(releaser)) return;
  throw new ReleaseError(
    `${releaser} may not use --force: only the owners of the shell may, which are ${release.join(', ') || 'none'}. Ask one of them.`,
  );
}

function rightsOf(listed: Owners, part: PartName): Rights {
  return listed[part] ?? listed[every] ?? { publish: [], release: [] };
}

/** Reads the names in the owners' file, without the rights. Throws a {@link ReleaseError} if it is invalid. */
export function readOwnerNames(file: string): OwnerNames {
  return Object.fromEntries(
    Object.entries(readOwners(file)).map(([part, { publish, release }]) => [
      part,
      [...new Set([...publish, ...release])],
    ]),
  );
}

/** Reads the owners' file. A list of names gives both rights. Throws a {@link ReleaseError} if it is invalid. */
export function readOwners(file: string): Owners {
  try {
    const listed = owners.parse(JSON.parse(readFileSync(file, 'utf8')));
    const withRights = Object.entries(listed).map(([part, found]) => [
      part,
      Array.isArray(found) ? { publish: found, release: found } : found,
    ]);
    return Object.fromEntries(withRights) as Owners;
  } catch (cause) {
    throw new ReleaseError(
      `${file} is not a valid owners' file. Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`,
      { cause },
    );
  }
}

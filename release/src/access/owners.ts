import { readFileSync } from 'node:fs';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseError } from '../platform/release-error.ts';

/** Stands for every part, or for every releaser. */
const every = '*';

/** `publish`: to store versions. `release`: to change what visitors get. */
export type Right = 'publish' | 'release';

const names = z.array(z.string());
/** Names of the releasers with each right on a part. */
const rights = z.strictObject({ publish: names, release: names });
type Rights = Readonly<Record<Right, readonly string[]>>;

/** Part → names of its owners. The key `*` holds for parts that are not listed, the name `*` for every releaser. */
const owners = z.partialRecord(z.enum([...partNames, every]), z.union([names, rights]));
export type Owners = Readonly<Partial<Record<PartName | typeof every, Rights>>>;

/** Names of the owners of a part, with any right. `*` stands for every releaser. */
export function ownersOf(listed: Owners, part: PartName): readonly string[] {
  return withAnyRight(rightsOf(listed, part));
}

/** Part, or `*` for all others → names of its owners, as the page shows them. */
export function ownerNames(listed: Owners): Record<string, string[]> {
  return Object.fromEntries(Object.entries(listed).map(([part, found]) => [part, withAnyRight(found)]));
}

function withAnyRight({ publish, release }: Rights): string[] {
  return [...new Set([...publish, ...release])];
}

function rightsOf(listed: Owners, part: PartName): Rights {
  return listed[part] ?? listed[every] ?? { publish: [], release: [] };
}

/** Throws a {@link ReleaseError} unless the owners' file gives the releaser a right on the part. */
export function assertOwner(ownersFile: string, part: PartName, releaser: string, right: Right): void {
  const { [right]: allowed, ...others } = rightsOf(readOwners(ownersFile), part);
  if (allowed.includes(every) || allowed.includes(releaser)) return;
  const list = allowed.length > 0 ? allowed.join(', ') : 'none';
  const isOwner = Object.values(others).some((known) => known.includes(every) || known.includes(releaser));
  throw new ReleaseError(
    isOwner
      ? `${releaser} may not ${right} ${part}. This right have: ${list}. Ask one of them, or to be added to ${ownersFile}.`
      : `${releaser} may not release ${part}: its owners are ${list}. Ask one of them, or to be added to ${ownersFile}.`,
  );
}

/** Reads the owners' file. Throws a {@link ReleaseError} if it is invalid. */
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

import { partNames, type PartName } from '@countersign/contracts/remotes';
import * as z from 'zod';
import { readJsonFile } from '../platform/read-json-file.ts';
import { ReleaseError } from '../platform/release-error.ts';

/** A key of the file that stands for all parts that are not listed, and a name that stands for every releaser. */
const every = '*';

/** `publish`: to store versions. `release`: to change what visitors get. */
export type Right = 'publish' | 'release';

const names = z.array(z.string());
/** Names of the releasers with each right on a part. A list gives both rights. */
const rights = z.union([
  z.strictObject({ publish: names, release: names }),
  names.transform((listed) => ({ publish: listed, release: listed })),
]);

/** The owners' file: part → names of its owners. */
const ownersFile = z.partialRecord(z.enum([...partNames, every]), rights);
export type Owners = Readonly<z.infer<typeof ownersFile>>;

/** Names of the owners of a part with a right; without one, with any. `*` stands for every releaser. */
export function ownersOf(owners: Owners, part: PartName, right?: Right): readonly string[] {
  const found = owners[part] ?? owners[every];
  if (!found) return [];
  return right ? found[right] : [...new Set([...found.publish, ...found.release])];
}

/** A right that the owners' file must grant. */
export interface Permission {
  readonly right: Right;
  readonly parts: readonly PartName[];
  /** Options that override a refusal, as only owners of the shell may. */
  readonly overrides?: readonly string[];
}

/** Throws a {@link ReleaseError} unless the releaser has the right on each part, and may use the options. */
export function assertAllowed(
  owners: Owners,
  releaser: string,
  { right, parts, overrides = [] }: Permission,
): void {
  for (const part of parts) {
    const refusal = `${releaser} may not ${right} ${part}: its owners are`;
    assertListed(ownersOf(owners, part, right), releaser, refusal, ", or to be added to the owners' file");
  }
  for (const option of overrides) {
    const refusal = `${releaser} may not use ${option}: only the owners of the shell may, which are`;
    assertListed(ownersOf(owners, 'shell', 'release'), releaser, refusal);
  }
}

function assertListed(allowed: readonly string[], releaser: string, refusal: string, remedy = ''): void {
  if (allowed.includes(every) || allowed.includes(releaser)) return;
  const advice =
    allowed.length > 0 ? `Ask one of them${remedy}` : "Ask the maintainers of the owners' file to add some";
  throw new ReleaseError(`${refusal} ${allowed.join(', ') || 'none'}. ${advice}.`);
}

/** Reads the owners' file. Throws a {@link ReleaseError} if it is invalid. */
export function readOwners(file: string): Owners {
  const remedy = `Write a list of names for each of ${partNames.join(', ')}, or one for all others under "*".`;
  return readJsonFile(file, ownersFile, "owners' file", remedy);
}

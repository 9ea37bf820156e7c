import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hydrationTimings } from '@countersign/contracts/hydration-timing';
import { budgetKinds } from '@countersign/contracts/size-budget';
import { contractFolder } from '@countersign/contracts/part-manifest';
import * as z from 'zod/mini';
import { hasErrorCode, isMissingFile } from '../../platform/is-missing-file.ts';
import { readRegularFiles } from '../../platform/regular-files.ts';
import { ReleaseError } from '../../platform/release-error.ts';
import { readJsonFile } from '../read-json-file.ts';

/** What a part's manifest says and `mf-manifest.json` does not. */
const partSettings = z.strictObject({
  /** Kind → size budget in kilobytes (1000 bytes, compressed with Brotli). */
  budget: z.record(z.enum(budgetKinds), z.number().check(z.nonnegative())),
  /** Exposed key → when the page hydrates the component. Default: `load`. */
  hydration: z.optional(z.record(z.string(), z.enum(hydrationTimings))),
  /** Folder with the declarations of the contract, relative to this file. It contains `remotes.d.ts`. */
  contract: z.string(),
  /** Exposed key → file of the build with the prerendered markup. Keys without one are rendered here. */
  fragments: z.optional(z.record(z.string(), z.string())),
});
type PartSettings = z.infer<typeof partSettings>;

export function readPartSettings(file: string): Promise<PartSettings> {
  return readJsonFile(file, partSettings, {
    missing: `${file} is missing. Create it with "budget" and "contract", as docs/build-a-part.md shows.`,
    remedy: 'docs/build-a-part.md describes it.',
  });
}

/** Throws if settings name a key that the build does not expose. */
export function assertKnownKeys(
  { hydration = {}, fragments = {} }: PartSettings,
  exposedKeys: readonly string[],
  settingsFile: string,
): void {
  const unknown = [...Object.keys(hydration), ...Object.keys(fragments)].find(
    (key) => !exposedKeys.includes(key),
  );
  if (unknown === undefined) return;
  throw new ReleaseError(
    `${settingsFile} names "${unknown}", which the build does not expose. Its keys: ${exposedKeys.join(', ')}.`,
  );
}

/** Reads the contract that a part was built against: path in the part → declarations. */
export async function readContract(
  { contract }: PartSettings,
  settingsFile: string,
): Promise<ReadonlyMap<string, string>> {
  const folder = join(dirname(settingsFile), contract);
  const files = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissingFile(error) || hasErrorCode(error, 'ENOTDIR')) return [];
    throw error;
  });
  const declarations = files.filter(({ name }) => name.endsWith('.d.ts'));
  if (!declarations.some(({ name }) => name === 'remotes.d.ts')) {
    throw new ReleaseError(
      `${folder} holds no remotes.d.ts. Set "contract" in ${settingsFile} to the folder with the declarations of the contract.`,
    );
  }
  const texts = await readRegularFiles(
    folder,
    declarations.map(({ name }) => name),
  );
  return new Map([...texts].map(([name, bytes]) => [`${contractFolder}${name}`, bytes.toString()]));
}

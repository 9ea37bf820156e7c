import { hydrationTimings } from '@countersign/contracts/hydration-timing';
import { budgetKinds } from '@countersign/contracts/size-budget';
import * as z from 'zod/mini';
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
export type PartSettings = z.infer<typeof partSettings>;

export function readPartSettings(file: string): Promise<PartSettings> {
  return readJsonFile(file, partSettings, {
    missing: `${file} is missing. Create it with "budget" and "contract", as docs/build-a-part.md shows.`,
    remedy: 'docs/build-a-part.md describes it.',
  });
}

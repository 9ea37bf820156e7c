import type { PartName } from '@countersign/contracts/remotes';
import { integrityOf } from './file-hash.ts';
import { brokenLink } from './store/audit-entry.ts';
import type { ReleaseStore } from './store/release-store.ts';
import { namedVersions } from './flip/named-versions.ts';

/** What a look at everything that is live has found. */
export interface Verification {
  /** How many files were hashed anew. */
  readonly files: number;
  readonly entries: number;
  /** Each a sentence. Empty when all is as it was published. */
  readonly faults: readonly string[];
}

/** Hashes every file of every version that the page names, and checks that the log is whole. */
export async function verifyStore(
  store: ReleaseStore,
  progress: (part: PartName, version: string) => void,
): Promise<Verification> {
  const live = await store.readLive();
  const faults: string[] = [];
  let files = 0;
  for (const { part, version } of live ? namedVersions(live.release) : []) {
    progress(part, version);
    const hashes = await store.hashesOf(part, version);
    if (!hashes) faults.push(`${part} ${version} is live and not in the store.`);
    for (const [file, hash] of Object.entries(hashes ?? {})) {
      files += 1;
      const found = await store.objects.read(`parts/${part}/${version}/${file}`);
      if (!found) faults.push(`${part} ${version} has lost ${file}.`);
      else if (integrityOf(found.bytes) !== hash) {
        faults.push(`${part} ${version} has another ${file} than was published.`);
      }
    }
  }
  const entries = await store.history();
  const broken = brokenLink(entries);
  if (broken !== undefined) faults.push(`The log does not hold together from entry ${broken} on.`);
  return { files, entries: entries.length, faults };
}

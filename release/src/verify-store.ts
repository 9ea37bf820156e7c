import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { PartName } from '@countersign/contracts/remotes';
import { integrityOf } from './file-hash.ts';
import { namedVersions } from './flip/named-versions.ts';
import { brokenLink } from './store/audit-entry.ts';
import type { LiveState, ReleaseStore } from './store/release-store.ts';

const unpackers = [
  ['.br', promisify(brotliDecompress)],
  ['.gz', promisify(gunzip)],
] as const;

/** What a look at everything that is live has found. */
export interface Verification {
  /** How many files were hashed anew, compressed copies not counted. */
  readonly files: number;
  readonly entries: number;
  /** Each a sentence. Empty when all is as it was published. */
  readonly faults: readonly string[];
}

/**
 * Hashes every file of every version that the page names, unpacks and hashes the compressed copies, which are what most
 * visitors get, looks whether the pages are there, and checks that the log is whole.
 */
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
    const names = Object.entries(hashes ?? {});
    files += names.length;
    for (const [file, hash] of names) {
      const fault = await faultOf(store, `parts/${part}/${version}/${file}`, hash);
      if (fault) faults.push(`${part} ${version} ${fault(file)}`);
    }
  }
  if (live && (await store.objects.list(`pages/${live.release.releaseId}/`)).length === 0) {
    faults.push(`The pages of release ${live.release.releaseId} are not in the store.`);
  }
  faults.push(...(await withdrawnFaults(store, live)));
  const entries = await store.history();
  const broken = brokenLink(entries);
  if (broken !== undefined) faults.push(`The log does not hold together from entry ${broken} on.`);
  return { files, entries: entries.length, faults };
}

/** Withdrawn versions, and pages that name them, which an interrupted withdrawal has left in the store. */
async function withdrawnFaults(store: ReleaseStore, live: LiveState | undefined): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { part, version } of live?.withdrawn ?? []) {
    const again = `Run "withdraw ${part} ${version}" again.`;
    if (await store.hashesOf(part, version)) {
      faults.push(`${part} ${version} is withdrawn and still in the store. ${again}`);
    }
    for (const releaseId of await store.releaseIds()) {
      const release = (await store.readRelease(releaseId))?.release;
      const names =
        release && namedVersions(release).some((it) => it.part === part && it.version === version);
      if (names) faults.push(`Release ${releaseId} names ${part} ${version}, which is withdrawn. ${again}`);
    }
  }
  return faults;
}

/** What is wrong with a file or its compressed copies, if anything is. */
async function faultOf(
  store: ReleaseStore,
  key: string,
  hash: string,
): Promise<((file: string) => string) | undefined> {
  const found = await store.objects.read(key);
  if (!found) return (file) => `has lost ${file}.`;
  if (integrityOf(found.bytes) !== hash) return (file) => `has another ${file} than was published.`;
  for (const [suffix, unpack] of unpackers) {
    const copy = await store.objects.read(`${key}${suffix}`);
    if (!copy) continue;
    const content = await unpack(copy.bytes).catch(() => undefined);
    if (!content || integrityOf(content) !== hash)
      return (file) => `has another ${file}${suffix} than was published.`;
  }
  return undefined;
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  documentTemplateFile,
  notFoundTemplateFile,
  partManifest,
  partManifestFile,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import type { PartName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { listedFiles, readBuildFiles } from './build-files.ts';
import { integrityOf } from './file-hash.ts';
import { assertNotWithdrawn } from './flip/withdrawn-versions.ts';
import { assertHarmlessFragments } from './harmless-fragments.ts';
import { isMissingFile } from './is-missing-file.ts';
import { keepVersions, removalSentence } from './keep-from-prune.ts';
import { ReleaseFault } from './release-fault.ts';
import { keepFromRemoval } from './store/planned-removal.ts';
import { versionPrefix, type ReleaseStore } from './store/release-store.ts';
import type { FileHashes } from './store/stored-documents.ts';

/** What became of a publish. `unchanged`: the same bytes were there already. */
export interface Published {
  readonly manifest: PartManifest;
  readonly outcome: 'stored' | 'unchanged';
}

/**
 * Stores a built part under its version, or what is missing of it. It is not live yet. Throws a {@link ReleaseFault} when
 * the folder holds no build of that part, or when the version exists with other content: a version never changes.
 */
export async function publishPart(
  store: ReleaseStore,
  part: PartName,
  builtDirectory: string,
  publishedBy: string,
): Promise<Published> {
  const { manifest, files, hashes } = await readBuild(part, builtDirectory);
  const { name, version } = manifest;
  await assertNotWithdrawnNow(store, name, version);
  // What is added to a version while prune removes it would be lost.
  const removed = await keepFromRemoval(store.objects, [versionPrefix(name, version)]);
  if (removed.length > 0) throw new ReleaseFault(removalSentence(name, version));
  const existing = await store.hashesOf(name, version);
  const isSame = existing && JSON.stringify(existing) === JSON.stringify(hashes);
  if (isSame && (await keepVersions(store, [{ part: name, version }])).length === 0) {
    return { manifest, outcome: 'unchanged' };
  }
  const record = { publishedAt: new Date().toISOString(), publishedBy, files: hashes };
  if ((existing && !isSame) || (await store.addVersion(name, version, files, record)) === 'refused') {
    throw new ReleaseFault(
      `${name} ${version} is published already, with other content. Raise the version in ${name}/package.json and build again.`,
    );
  }
  try {
    await assertNotWithdrawnNow(store, name, version);
  } catch (fault) {
    // Withdrawn while it was being stored: the withdrawal may not have seen all files.
    await store.removeVersion(name, version);
    throw fault;
  }
  const faults = await keepVersions(store, [{ part: name, version }]);
  if (faults.length > 0) throw new ReleaseFault(faults.join('\n'));
  return { manifest, outcome: 'stored' };
}

async function assertNotWithdrawnNow(store: ReleaseStore, part: PartName, version: string): Promise<void> {
  assertNotWithdrawn((await store.readLive())?.withdrawn ?? [], { part, version });
}

/** A build as it lies in its folder. */
export interface Build {
  readonly manifest: PartManifest;
  /** Name → content of everything that is to be published. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly hashes: FileHashes;
}

/** Reads a build. Throws a {@link ReleaseFault} when the folder holds no whole build of the part. */
export async function readBuild(part: PartName, directory: string): Promise<Build> {
  const manifest = await readManifest(directory);
  if (manifest.name !== part) {
    throw new ReleaseFault(`The folder holds ${manifest.name}, not ${part}. Name the part that it holds.`);
  }
  const files = await readBuildFiles(directory, manifest);
  const hashes = Object.fromEntries([...files].map(([name, bytes]) => [name, integrityOf(bytes)]));
  assertComplete(manifest, hashes, directory);
  assertHarmlessFragments(manifest, files);
  return { manifest, files, hashes };
}

async function readManifest(directory: string): Promise<PartManifest> {
  const path = join(directory, partManifestFile);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    if (isMissingFile(cause)) {
      throw new ReleaseFault(`${directory} holds no build (no ${partManifestFile}). Build the part first.`, {
        cause,
      });
    }
    if (cause instanceof SyntaxError) {
      throw new ReleaseFault(`${path} is not valid: ${cause.message}. Build the part again.`, { cause });
    }
    throw cause;
  }
  const result = partManifest.safeParse(content);
  if (result.success) return result.data;
  throw new ReleaseFault(`${path} is not valid: ${z.prettifyError(result.error)}. Build the part again.`);
}

function assertComplete(manifest: PartManifest, hashes: FileHashes, directory: string): void {
  const named = [manifest.entry, ...Object.values(manifest.exposes)].flatMap((chunk) => [
    ...chunk.scripts,
    ...chunk.styles,
  ]);
  if (manifest.name === 'shell') named.push(documentTemplateFile, notFoundTemplateFile);
  named.push(...listedFiles(manifest));
  const missing = named.find((name) => !Object.hasOwn(hashes, name));
  if (missing)
    throw new ReleaseFault(`${directory} names ${missing} but does not hold it. Build the part again.`);
}

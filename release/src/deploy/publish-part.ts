import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { checkFragment } from '@countersign/contracts/check-fragment';
import {
  documentTemplateFile,
  notFoundTemplateFile,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import { remoteNames, type PartName } from '@countersign/contracts/remotes';
import { integrityOf } from '../platform/integrity-of.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { FileHashes } from '../store/stored-documents.ts';
import { unlessDamaged } from '../store/stored-json.ts';
import { initialChunks } from '../store/stored-version.ts';
import { listBuildFiles, readPartManifest } from './build-files.ts';

/** Result of a publish. `unchanged`: the store already had the same files. */
export interface Published {
  readonly manifest: PartManifest;
  readonly outcome: 'stored' | 'unchanged';
}

/**
 * Stores a built part under its version, or restores missing and damaged files of it. Does not make it live. Throws a
 * {@link ReleaseError} if the folder has no build of that part, or if the version exists with other content, because
 * published versions are immutable.
 *
 * @param commit from which the part was built, if it is known
 */
export async function publishPart(
  store: ReleaseStore,
  part: PartName,
  buildFolder: string,
  releaser: string,
  commit?: string,
): Promise<Published> {
  const { manifest, files, hashes } = await readBuild(part, buildFolder);
  const { name, version } = manifest;
  // The claim says whether a version with a damaged record has this content.
  const existing = await unlessDamaged(store.hashesOf(name, version));
  const isSame = isDeepStrictEqual(existing, hashes);
  if (isSame && (await store.findDamagedFiles({ part: name, version })).length === 0) {
    return { manifest, outcome: 'unchanged' };
  }
  const record = { publishedAt: new Date().toISOString(), publishedBy: releaser, files: hashes, commit };
  const hasOther = existing !== undefined && !isSame;
  const outcome = hasOther ? 'refused' : await store.addVersion(name, version, files, record);
  if (outcome === 'refused') {
    throw new ReleaseError(
      `${name} ${version} is published already, with other content. Build it with another PART_VERSION.`,
    );
  }
  const errors = await store.findDamagedFiles({ part: name, version });
  if (errors.length > 0) throw new ReleaseError(errors.join('\n'));
  return { manifest, outcome };
}

/** Reads manifest, files and their hashes. Throws a {@link ReleaseError} if the folder has no complete build of the part. */
async function readBuild(part: PartName, folder: string) {
  const manifest = await readPartManifest(folder);
  if (manifest.name !== part) {
    throw new ReleaseError(`The folder holds ${manifest.name}, not ${part}. Name the part that it holds.`);
  }
  const names = await listBuildFiles(folder, manifest);
  const read = async (name: string) => [name, await readFile(join(folder, name))] as const;
  const files = new Map(await mapConcurrently(names, read));
  const hashes = Object.fromEntries([...files].map(([name, bytes]) => [name, integrityOf(bytes)]));
  assertComplete(manifest, hashes, folder);
  assertSafeMarkup(manifest, files);
  return { manifest, files, hashes };
}

function assertComplete(manifest: PartManifest, hashes: FileHashes, folder: string): void {
  const named = initialChunks(manifest).flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  if (manifest.name === 'shell') named.push(documentTemplateFile, notFoundTemplateFile);
  named.push(...Object.values(manifest.fragments ?? {}));
  const missing = named.find((name) => !Object.hasOwn(hashes, name));
  if (missing)
    throw new ReleaseError(`${folder} names ${missing} but does not hold it. Build the part again.`);
}

/** Throws a {@link ReleaseError} that lists the violations in fragments and stylesheets, and the images of a remote with a script. */
function assertSafeMarkup(
  { name, version, fragments = {} }: PartManifest,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  const remote = remoteNames.find((known) => known === name);
  const textOf = (file: string) => new TextDecoder().decode(files.get(file));
  const violations = Object.entries(fragments).flatMap(([exposed, file]) =>
    remote
      ? checkFragment(textOf(file), { remote, exposed }).map((violation) => `${file}: ${violation}`)
      : [],
  );
  for (const file of files.keys()) {
    // The page has it in an element.
    if (file.endsWith('.css') && /<\/style/i.test(textOf(file))) {
      violations.push(`${file} contains "</style". Remove it.`);
    }
    // Opened by its URL, an image is a document of the site.
    if (remote && file.toLowerCase().endsWith('.svg') && /<script|\son\w+\s*=/i.test(textOf(file))) {
      violations.push(`${file} contains a script. Export it as a plain SVG.`);
    }
  }
  if (violations.length > 0) {
    throw new ReleaseError(`${name} ${version} cannot be published:\n${violations.join('\n')}`);
  }
}

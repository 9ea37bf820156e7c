import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalMarkup } from '@countersign/contracts/check-fragment';
import { fragmentFile } from '@countersign/contracts/fragment';
import { partManifestFile, type PartManifest } from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import { readBuild } from './publish-part.ts';

/** A container whose components are to be rendered. */
export interface RenderableBuild {
  readonly part: RemoteName;
  readonly version: string;
  readonly globalName: string;
  /** File of the container. */
  readonly entry: string;
  readonly exposedKeys: readonly string[];
  /** Name → content of all scripts and stylesheets. */
  readonly code: ReadonlyMap<string, Uint8Array>;
}

/** Renders exposed components: exposed key → markup. Rejects with a {@link ReleaseError} if one does not render. */
export type RenderFragments = (build: RenderableBuild) => Promise<Readonly<Record<string, string>>>;

/**
 * Renders the components of a build that have no fragment, and adds the markup to the folder of the build and to its
 * `part.json`. No other file changes.
 */
export async function addFragments(
  part: RemoteName,
  directory: string,
  renderFragments: RenderFragments,
): Promise<void> {
  const { manifest, files } = await readBuild(part, directory);
  const { version, globalName, exposes, fragments = {} } = manifest;
  const exposedKeys = Object.keys(exposes).filter((key) => !Object.hasOwn(fragments, key));
  if (exposedKeys.length === 0) return;
  const [entry] = manifest.entry.scripts;
  if (globalName === undefined || entry === undefined) {
    throw new ReleaseError(
      `${directory} has no entry or no "globalName". Add both to its ${partManifestFile}.`,
    );
  }
  const code = new Map([...files].filter(([name]) => /\.(?:m?js|css)$/.test(name)));
  const rendered = await renderFragments({ part, version, globalName, entry, exposedKeys, code });
  for (const [key, markup] of Object.entries(rendered)) {
    const path = join(directory, fragmentFile(key));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, canonicalMarkup(markup));
  }
  const added = Object.fromEntries(exposedKeys.map((key) => [key, fragmentFile(key)]));
  await writeManifest(directory, {
    ...manifest,
    fragments: { ...fragments, ...added },
    ...(manifest.files && { files: [...new Set([...manifest.files, ...Object.values(added)])].sort() }),
  });
}

export async function writeManifest(directory: string, manifest: PartManifest): Promise<void> {
  await writeFile(join(directory, partManifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
}

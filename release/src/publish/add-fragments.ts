import { fragmentFile } from '@countersign/contracts/fragment';
import { canonicalMarkup } from '@countersign/contracts/check-fragment';
import {
  partManifest,
  partManifestFile,
  slotKey,
  type PartManifest,
} from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { ReleaseError } from '../platform/release-error.ts';
import { readBuild } from './publish-part.ts';
import { writeBuildFiles } from './write-build-files.ts';

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
  const code = new Map([...files].filter(([name]) => /\.(?:m?js|css)$/.test(name)));
  await writeBuildFiles(directory, await withFragments(part, manifest, code, renderFragments));
}

/** The manifest of a build with all fragments, and the fragments that it lacked: file → text. The manifest is last. */
export async function withFragments(
  part: RemoteName,
  manifest: PartManifest,
  code: RenderableBuild['code'],
  renderFragments: RenderFragments,
): Promise<ReadonlyMap<string, string>> {
  const { version, globalName, exposes, fragments = {}, files } = manifest;
  const [entry] = manifest.entry.scripts;
  if (globalName === undefined || entry === undefined) {
    throw new ReleaseError(
      `${part} ${version} has no entry or no "globalName". Add both to its ${partManifestFile}.`,
    );
  }
  const exposedKeys = Object.keys(exposes).filter((key) => !Object.hasOwn(fragments, key));
  const odd = exposedKeys.find((key) => !slotKey.test(key));
  if (odd !== undefined) {
    throw new ReleaseError(
      `${part} ${version} exposes ${JSON.stringify(odd)}, which no slot can name. Rename it to a key like "./pricing".`,
    );
  }
  const added = exposedKeys.map((key) => [key, fragmentFile(key)] as const);
  const complete: PartManifest = {
    ...manifest,
    fragments: { ...fragments, ...Object.fromEntries(added) },
    ...(files && { files: [...new Set([...files, ...added.map(([, file]) => file)])].sort() }),
  };
  // Before anything runs or is written, because each name becomes a path.
  const { error } = partManifest.safeParse(complete);
  if (error) {
    throw new ReleaseError(
      `${part} ${version} cannot be published: ${z.prettifyError(error)}. Correct the build or its settings.`,
    );
  }
  const rendered =
    exposedKeys.length === 0
      ? {}
      : await renderFragments({ part, version, globalName, entry, exposedKeys, code });
  return new Map([
    ...added.map(([key, file]) => [file, canonicalMarkup(rendered[key] ?? '')] as const),
    [partManifestFile, `${JSON.stringify(complete, null, 2)}\n`],
  ]);
}

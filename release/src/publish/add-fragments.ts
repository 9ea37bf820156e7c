import { fragmentFile } from '@countersign/contracts/fragment';
import { canonicalMarkup } from '@countersign/contracts/check-fragment';
import { partManifestFile, slotKey, type PartManifest } from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import { readBuild } from './publish-part.ts';
import { partManifestText, writeBuildFiles } from './write-build-files.ts';

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
  const { manifest, files: contents } = await readBuild(part, directory);
  const { version, globalName, exposes, fragments = {}, files } = manifest;
  const [entry] = manifest.entry.scripts;
  if (globalName === undefined || entry === undefined) {
    throw new ReleaseError(
      `${part} ${version} has no entry or no "globalName". Add both to its ${partManifestFile}.`,
    );
  }
  const exposedKeys = Object.keys(exposes).filter((key) => !Object.hasOwn(fragments, key));
  if (exposedKeys.length === 0) return;
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
  const manifestText = partManifestText(complete);
  const code = new Map([...contents].filter(([name]) => /\.(?:m?js|css)$/.test(name)));
  const rendered = await renderFragments({ part, version, globalName, entry, exposedKeys, code });
  await writeBuildFiles(
    directory,
    new Map([
      ...added.map(([key, file]) => [file, canonicalMarkup(rendered[key] ?? '')] as const),
      [partManifestFile, manifestText],
    ]),
  );
}

import { fileIntegrityGlobal, noIntegrity, type FileIntegrity } from '@countersign/contracts/file-integrity';
import type { Asset, ChunkAssets, ReleaseDocument } from '@countersign/contracts/release-document';
import { versionsOf } from './versions-of.ts';

/** Full address → integrity, of every file that the release document names. Nothing else is loaded as code. */
export type KnownFiles = ReadonlyMap<string, string>;

/** Everything that a visitor of this release may load: of the shell, and of every version of every remote. */
export function knownFiles({ shell, remotes }: ReleaseDocument): KnownFiles {
  const versions = Object.values(remotes).flatMap(versionsOf);
  const assets = [
    ...filesOf(shell),
    ...filesOf(shell.later),
    ...versions.flatMap(({ entry, exposes, later }) => [
      entry,
      ...Object.values(exposes).flatMap(filesOf),
      ...filesOf(later),
    ]),
  ];
  return new Map(assets.map(({ url, integrity }) => [new URL(url, location.origin).href, integrity]));
}

function filesOf(chunk: ChunkAssets | undefined): readonly Asset[] {
  return chunk ? [...chunk.scripts, ...chunk.styles] : [];
}

/**
 * Tells the loaders of all parts what they must ask the browser to check. An address that the release document does not
 * name is refused: the browser finds no bytes that have its hash. Call it once per page.
 *
 * @param files is asked at each load
 */
export function provideFileIntegrity(files: () => KnownFiles): void {
  const integrity: FileIntegrity = (address) =>
    files().get(new URL(address, location.href).href) ?? noIntegrity;
  Object.defineProperty(globalThis, fileIntegrityGlobal, { value: integrity });
}

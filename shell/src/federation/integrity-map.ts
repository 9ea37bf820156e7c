import { fileIntegrityGlobal, noIntegrity, type FileIntegrity } from '@countersign/contracts/file-integrity';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { chunksOf, servableVersions } from '@countersign/contracts/release-versions';

/**
 * Absolute URL → subresource integrity of every file that the release document names. Only these files may load
 * as code.
 */
export type IntegrityMap = ReadonlyMap<string, string>;

/** All files of the shell and of every version of every remote in this release. */
export function integrityMap({ shell, remotes }: ReleaseDocument): IntegrityMap {
  const versions = [shell, ...Object.values(remotes).flatMap(servableVersions)];
  const assets = versions.flatMap(chunksOf).flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  return new Map(assets.map(({ url, integrity }) => [absoluteUrl(url), integrity]));
}

/** A path that parsing would not change. */
const plainPath = /^(?:\/[\w@+-][\w@.+-]*)+$/;

/** Avoids `URL` for plain paths, because a page of many parts has hundreds of files. */
export function absoluteUrl(url: string): string {
  return plainPath.test(url) ? location.origin + url : new URL(url, location.origin).href; // blind spot (plainPath): equivalent but for time.
}

/**
 * Provides the global function that the loaders of all parts call for a file's integrity. For an unknown URL it
 * returns a hash that no file has, so the browser refuses the file. Call it once per page.
 */
export function provideFileIntegrity(files: IntegrityMap): void {
  const integrity: FileIntegrity = (address) =>
    files.get(new URL(address, location.href).href) ?? noIntegrity;
  Object.defineProperty(globalThis, fileIntegrityGlobal, { value: integrity });
}

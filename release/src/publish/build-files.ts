import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { partManifestFile, publicFolder, type PartManifest } from '@countersign/contracts/part-manifest';
import { composedFiles } from './flip/compose-pages.ts';
import { ReleaseFault } from './release-fault.ts';
import { formerRecordFiles } from './store/release-store.ts';

/** Names that go into addresses, the page and a bucket as they are. Those in `part.json` keep to them as well. */
const plainName = /^[\w.-]+(?:\/[\w.-]+)*$/;
/** With `.br` and a folder before it, a name of this length fits every file system and object store. */
const longestName = 200;
/** Names of compressed copies, which the store makes. */
const compressedCopy = /\.(?:br|gz)(?:\/|$)/;
const reservedNames: readonly string[] = Object.values(formerRecordFiles);

/**
 * Reads every file to publish, sorted by name. Source maps stay with the team: the page does not need them. Compressed
 * copies of other tools are left out, because they may be of another build, and so are files with a leading dot, which
 * are those of editors and operating systems. Throws a {@link ReleaseFault} for a file that cannot be stored and served under its name.
 */
export async function readBuildFiles(
  directory: string,
  { name: part, files }: PartManifest,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const built = files && new Set([partManifestFile, ...files]);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found = new Map(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => [relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'), entry]),
  );
  const published = [...found]
    .filter(([name]) => built?.has(name) ?? !/(?:^|\/)\./.test(name))
    .filter(([name]) => !isLeftOut(name, (other) => found.has(other)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, entry] of published) {
    const fault = faultOf(part, name, entry);
    if (fault) throw new ReleaseFault(`${directory} holds ${JSON.stringify(name)}. ${fault}`);
  }
  return new Map(
    await Promise.all(
      published.map(async ([name]) => [name, await readFile(join(directory, name))] as const),
    ),
  );
}

/** The files that a manifest lists and a build must hold. */
export function listedFiles({ files = [] }: PartManifest): readonly string[] {
  return files.filter((name) => !isLeftOut(name, (other) => files.includes(other)));
}

function isLeftOut(name: string, has: (name: string) => boolean): boolean {
  return name.endsWith('.map') || (/\.(?:br|gz)$/.test(name) && has(name.slice(0, -3)));
}

/** Why a file cannot be published, and what to do. */
function faultOf(part: string, name: string, entry: Dirent): string | undefined {
  if (!entry.isFile()) return 'It is a link or no file at all. Put a copy of the file in its place.';
  if (!plainName.test(name) || name.length > longestName) {
    return `Names have letters, digits, ".", "-" and "_", and at most ${longestName} characters. Rename the file and build again.`;
  }
  if (compressedCopy.test(name)) {
    return 'Names with .br and .gz are those of the compressed copies that the store makes. Rename the file and build again.';
  }
  if (reservedNames.includes(name.split('/', 1)[0] ?? '')) {
    return 'Earlier stores keep their own records under this name. Rename the file and build again.';
  }
  if (
    part === 'shell' &&
    composedFiles.includes(name.slice(publicFolder.length)) &&
    name.startsWith(publicFolder)
  ) {
    return 'The release writes the page of this name. Rename the file and build again.';
  }
  return undefined;
}

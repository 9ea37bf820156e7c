import { contractFolder } from '@countersign/contracts/part-manifest';
import type { PartName } from '@countersign/contracts/remotes';
import type { ReleaseStore } from './release-store.ts';

/** Not a name that leads out of the folder. */
const declarationFile = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.d\.ts$/;

/**
 * Reads the declarations of the contract that a stored version was built against: file in the contract's folder → text.
 * Empty if the version carries none, or is not published.
 */
export async function readContractDeclarations(
  store: ReleaseStore,
  part: PartName,
  version: string,
): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys((await store.hashesOf(part, version)) ?? {})
    .filter((file) => file.startsWith(contractFolder))
    .map((file) => file.slice(contractFolder.length))
    .filter((name) => declarationFile.test(name));
  const texts = names.map((name) => store.readFile(part, version, `${contractFolder}${name}`));
  return new Map((await Promise.all(texts)).map((text, index) => [names[index] ?? '', text]));
}

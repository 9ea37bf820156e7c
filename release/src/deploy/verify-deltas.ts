import type { PartName } from '@countersign/contracts/remotes';
import { applyDelta, dictionaryName, dictionaryOf, fileOfDelta, isSound } from '../store/delta-file.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { equalBytes } from './verify-files.ts';

/** Finds a dictionary by its name. Resolves to `undefined` if it is not in the store any more. */
export type FindDictionary = (name: string) => Promise<Uint8Array | undefined>;

/**
 * Finds dictionaries among the stored scripts and styles of a part, or the stored landing pages and
 * entry bundles. Reads them when the first delta
 * is checked.
 */
export function dictionariesOf(objects: ObjectStore): (owner: PartName | 'pages') => FindDictionary {
  const known = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const read = async (owner: PartName | 'pages') => {
    const [prefix, isDictionary] =
      owner === 'pages'
        ? (['pages/', /^pages\/[^/]+\/(?:index\.html|entries\.[0-9a-f]+\.js)$/] as const)
        : ([`parts/${owner}/`, /^parts\/[^/]+\/[^/]+\/[^/]+\.(?:js|css)$/] as const);
    const keys = (await objects.list(prefix)).filter((key) => isDictionary.test(key));
    const named = keys.map(async (key) => {
      const object = await objects.read(key);
      return object ? [[dictionaryName(object.bytes), key] as const] : [];
    });
    return new Map((await Promise.all(named)).flat());
  };
  return (owner) => async (name) => {
    const keys = known.get(owner) ?? read(owner);
    known.set(owner, keys);
    const key = (await keys).get(name);
    return key === undefined ? undefined : (await objects.read(key))?.bytes;
  };
}

/** Name → bytes. */
type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Decodes deltas and compares them with the files beside them. Returns error messages. A delta whose dictionary has been removed
 * by `prune` cannot be decoded, so only its checksum is compared.
 *
 * @param owner whose files they are, for messages
 */
export async function verifyDeltas(
  owner: string,
  { files, deltas }: { readonly files: Files; readonly deltas: Files },
  findDictionary: FindDictionary,
): Promise<readonly string[]> {
  const errors: string[] = [];
  for (const [name, bytes] of deltas) {
    if (name.endsWith('.sha256')) continue;
    const file = fileOfDelta(name) ?? '';
    const content = files.get(file);
    const dictionary = dictionaryOf(bytes);
    const known = dictionary === undefined ? undefined : await findDictionary(dictionary);
    const isRight =
      content &&
      isSound({ name, bytes }, (each) => deltas.get(each)) &&
      (!known || equalBytes(await applyDelta(bytes, known, content.length), content));
    if (!isRight) errors.push(`${owner} has ${name}, which is no delta of ${file}. Delete it.`);
  }
  return errors;
}

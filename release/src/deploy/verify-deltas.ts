import type { PartName } from '@countersign/contracts/remotes';
import { applyDelta, dictionaryName, dictionaryOf, fileOfDelta, isSound } from '../store/delta-file.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { equalBytes } from './verify-files.ts';

/** Finds a dictionary, the earlier file that a delta is relative to, by its name. `undefined` if it is no longer in the store. */
export type FindDictionary = (name: string) => Promise<Uint8Array | undefined>;

/**
 * Finds dictionaries among the stored scripts and styles of a part, or the stored landing pages and entry bundles. Reads all of
 * them for the first delta that is verified, because a dictionary's name is its hash.
 */
export function dictionariesOf(objects: ObjectStore): (source: PartName | 'pages') => FindDictionary {
  /** Source → name of a dictionary → its key. */
  const indexes = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const readIndex = async (source: PartName | 'pages') => {
    const [prefix, isDictionary] =
      source === 'pages'
        ? (['pages/', /^pages\/[^/]+\/(?:index\.html|entries\.[0-9a-f]+\.js)$/] as const)
        : ([`parts/${source}/`, /^parts\/[^/]+\/[^/]+\/[^/]+\.(?:js|css)$/] as const);
    const keys = (await objects.list(prefix)).filter((key) => isDictionary.test(key));
    const named = keys.map(async (key) => {
      const object = await objects.read(key);
      return object ? [[dictionaryName(object.bytes), key] as const] : [];
    });
    return new Map((await Promise.all(named)).flat());
  };
  return (source) => async (name) => {
    const index = indexes.get(source) ?? readIndex(source);
    indexes.set(source, index);
    const key = (await index).get(name);
    return key === undefined ? undefined : (await objects.read(key))?.bytes;
  };
}

/** Name → bytes. */
type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Decodes deltas and compares them with the files beside them. Returns error messages. A delta whose dictionary has been removed
 * by `prune` cannot be decoded, so only its checksum is compared.
 *
 * @param subject release or version that has these files, for messages
 */
export async function verifyDeltas(
  subject: string,
  { files, deltas }: { readonly files: Files; readonly deltas: Files },
  findDictionary: FindDictionary,
): Promise<readonly string[]> {
  const errors: string[] = [];
  for (const [name, bytes] of deltas) {
    const isChecksum = name.endsWith('.sha256');
    if (isChecksum) continue;
    const file = fileOfDelta(name) ?? '';
    const content = files.get(file);
    const needed = dictionaryOf(bytes);
    const dictionary = needed === undefined ? undefined : await findDictionary(needed);
    const isValid =
      content &&
      isSound({ name, bytes }, (each) => deltas.get(each)) &&
      (!dictionary || equalBytes(await applyDelta(bytes, dictionary, content.length), content));
    if (!isValid) errors.push(`${subject} has ${name}, which is no delta of ${file}. Delete it.`);
  }
  return errors;
}

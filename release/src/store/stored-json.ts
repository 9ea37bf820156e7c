import * as z from 'zod';
import { ReleaseError } from '../platform/release-error.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** A stored document that is no valid JSON, or has another shape, perhaps that of a newer version of this program. */
class DamagedDocument extends ReleaseError {}

/** Resolves to `undefined` if a document is damaged. A failed request is still an error. */
export async function unlessDamaged<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DamagedDocument) return undefined;
    throw error;
  }
}

/** Reads a document, see {@link parseJson}. */
export async function readJson<Schema extends z.core.$ZodType>(
  objects: ObjectStore,
  key: string,
  schema: Schema,
  remedy?: string,
): Promise<z.infer<Schema> | undefined> {
  const found = await objects.read(key);
  return found && parseJson(objects, key, schema, found, remedy);
}

/**
 * The document in an object that was read. Throws {@link DamagedDocument} if it is damaged.
 *
 * @param remedy what to do without a backup of it
 */
export function parseJson<Schema extends z.core.$ZodType>(
  objects: ObjectStore,
  key: string,
  schema: Schema,
  { bytes }: StoredObject,
  remedy = 'release into a new store',
): z.infer<Schema> {
  try {
    return z.parse(schema, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    const state =
      cause instanceof SyntaxError
        ? 'is damaged. Restore'
        : 'may be of a newer version of this program. Update this program first. If it is new enough, restore';
    throw new DamagedDocument(`${key} in ${objects.displayName} ${state} it from a backup, or ${remedy}.`, {
      cause,
    });
  }
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function encodeJson(value: unknown): Uint8Array {
  return encode(`${JSON.stringify(value, null, 2)}\n`);
}

import type { KeyObject } from 'node:crypto';
import { compactVerify, CompactSign, errors } from 'jose';
import { ReleaseError } from '../platform/release-error.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { ObjectStore } from './object-store.ts';
import { logHead, type LogHead } from './stored-documents.ts';
import { encode } from './stored-json.ts';

const prefix = 'heads/';
const headKey = (sequence: number) => `${prefix}${String(sequence).padStart(8, '0')}.jws`;
/** Type of the token, so that no other token of the key is a head. */
const typ = 'log-head';

/** Signs an entry as the head of the log, in place of older heads. */
export async function writeHead(
  objects: ObjectStore,
  key: KeyObject,
  { sequence, hash }: Pick<AuditEntry, 'sequence' | 'hash'>,
  now: Date,
): Promise<LogHead> {
  const head = { sequence, hash, at: now.toISOString() };
  const jws = await new CompactSign(encode(JSON.stringify(head)))
    .setProtectedHeader({ alg: 'EdDSA', typ })
    .sign(key);
  const earlier = await objects.list(prefix);
  // One key for each entry, so that a slow signer of an older entry cannot replace the head of a newer one.
  await objects.overwrite(headKey(sequence), encode(jws));
  await objects.remove(earlier.filter((each) => each < headKey(sequence)));
  return head;
}

/**
 * The newest head; `undefined` if there is none. Throws a {@link ReleaseError} if no key has signed it.
 *
 * @param missing key that could not be read a moment ago
 */
export async function readHead(
  objects: ObjectStore,
  publicKeys: readonly KeyObject[],
  missing?: string,
): Promise<LogHead | undefined> {
  const key = (await objects.list(prefix)).at(-1);
  if (key === undefined) return undefined;
  const found = await objects.read(key);
  // A newer head has replaced it meanwhile, unless it is still listed, as a link that leads nowhere.
  if (!found && key !== missing) return readHead(objects, publicKeys, key);
  if (!found) throw new ReleaseError(`${objects.displayName} lists ${key}, and has no such file. Remove it.`);
  for (const publicKey of publicKeys) {
    try {
      const { payload, protectedHeader } = await compactVerify(found.bytes, publicKey, {
        algorithms: ['EdDSA'],
      });
      if (protectedHeader.typ === typ) return logHead.parse(JSON.parse(new TextDecoder().decode(payload)));
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  throw new ReleaseError(
    `${key} in ${objects.displayName} is signed with none of the LOG_PUBLIC_KEYS. Add the key of the release server, if it has a new one. Otherwise the head is forged.`,
  );
}

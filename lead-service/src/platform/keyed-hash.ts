import { createHmac } from 'node:crypto';

/** HMAC-SHA256 of texts that must not be stored themselves. Without the key, a guess cannot be confirmed. */
export type KeyedHash = (...texts: readonly string[]) => string;

export function createKeyedHash(key: Buffer): KeyedHash {
  // NUL is a safe separator, because the texts never contain it.
  return (...texts) => createHmac('sha256', key).update(texts.join('\0')).digest('base64url');
}

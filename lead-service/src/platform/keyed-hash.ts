import { createHmac } from 'node:crypto';

/** Stands for texts where the texts themselves must not be kept. Without the key it cannot be guessed from them. */
export type KeyedHash = (...texts: readonly string[]) => string;

export function createKeyedHash(key: Buffer): KeyedHash {
  // NUL keeps the texts apart: none of them holds one.
  return (...texts) => createHmac('sha256', key).update(texts.join('\0')).digest('base64url');
}

import { hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a derived key is for. A key for one purpose says nothing about the others. */
export type KeyPurpose = 'form-token' | 'challenge' | 'rate-limit' | 'session' | 'csrf';

/** Keys that all instances of one deployment share. */
export interface Secret {
  /** 32 bytes, always the same for the same secret and purpose. */
  deriveKey(purpose: KeyPurpose): Buffer;
}

export function createSecret(text: string): Secret {
  return {
    deriveKey: (purpose) => Buffer.from(hkdfSync('sha256', text, 'lead-service', purpose, 32)),
  };
}

/** The secret of a service that shares its work with no other: made at the first start, kept in the data directory. */
export function ownSecret(dataDirectory: string): Secret {
  const file = join(dataDirectory, 'secret');
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return createSecret(readFileSync(file, 'utf8'));
}

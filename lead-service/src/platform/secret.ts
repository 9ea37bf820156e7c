import { hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from './start-failure.ts';

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

const leastCharacters = 32;

/**
 * The secret of a service that shares its work with no other: made at the first start, kept in the data directory, which
 * is locked by then. Throws {@link StartFailure} when what is kept there can be no secret.
 */
export function ownSecret(dataDirectory: string): Secret {
  const file = join(dataDirectory, 'secret');
  if (!existsSync(file)) keepSecret(dataDirectory, file);
  const text = readFileSync(file, 'utf8');
  if (text.trim().length < leastCharacters) {
    throw new StartFailure(
      `${file} has fewer than ${leastCharacters} characters and is no secret. Restore it, or remove it: a new one is made, and whoever is logged in logs in again.`,
    );
  }
  return createSecret(text);
}

/** Gets its name only once it is on disk: a crash leaves a whole secret or none. */
function keepSecret(directory: string, file: string): void {
  const partial = `${file}.part`;
  // One that a crash has left may be readable for others.
  rmSync(partial, { force: true });
  writeFileSync(partial, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  renameSync(partial, file);
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

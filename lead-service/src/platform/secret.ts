import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from '@countersign/contracts/settings';
import * as z from 'zod';
import { replaceFile } from './replace-file.ts';
import { StartupError } from './explained-error.ts';

const minCharacters = 32;

export const secretSettings = z.object({
  LEADS_SECRET: text()
    .refine(
      ({ length }) => length >= minCharacters,
      `must have at least ${minCharacters} characters. Take them from "openssl rand -base64 32".`,
    )
    .optional()
    .describe(
      `${minCharacters} characters or more, the same for all instances; required with \`DATABASE_URL\`. With SQLite, the first start generates one and stores it in \`DATA_DIR/secret\``,
    ),
});

/** Purpose of a derived key. A key for one purpose reveals nothing about keys for other purposes. */
type KeyPurpose = 'session' | 'counters';

/** A key that all instances with this secret share: 32 bytes, derived deterministically from it and the purpose (HKDF). */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'lead-service', purpose, 32));
}

/**
 * Reads the secret of a single-instance service, or generates it on the first start. It is a file in the data
 * directory, which the caller must have locked. Throws {@link StartupError} if the file is too short.
 */
export async function readOrCreateSecret(dataDirectory: string): Promise<string> {
  const file = join(dataDirectory, 'secret');
  // A crash leaves a whole secret or none.
  if (!existsSync(file)) await replaceFile(file, randomBytes(minCharacters).toString('base64url'));
  const text = await readFile(file, 'utf8');
  if (text.trim().length < minCharacters) {
    throw new StartupError(
      `${file} has fewer than ${minCharacters} characters and is not a valid secret. Restore it, or remove it: the service then creates a new one, and all users must log in again.`,
    );
  }
  return text;
}

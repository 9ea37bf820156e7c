import type { FormToken } from '@countersign/contracts/lead';
import { solveChallenge as solve } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

/** Solves the proof-of-work challenge of a form token. Returns the `proof`. */
export async function solveChallenge(
  challenge: NonNullable<FormToken['challenge']>,
  signal: AbortSignal,
): Promise<string> {
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort());
  // The contract treats the challenge as opaque. The library validates it.
  const solution = await solve({ challenge: challenge as unknown as Challenge, deriveKey, controller });
  if (!solution) throw new Error('The challenge was not solved in time.');
  return btoa(JSON.stringify({ challenge, solution }));
}

import type { FormToken } from '@countersign/contracts/lead';
import { solveChallenge as solve } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

/** Does the work that a form token asks for, between other things. Returns what is sent as `proof`. */
export async function solveChallenge(
  challenge: NonNullable<FormToken['challenge']>,
  signal: AbortSignal,
): Promise<string> {
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort());
  // The contract: what the library's own `createChallenge` returns. Of anything else it says what is wrong.
  const solution = await solve({ challenge: challenge as unknown as Challenge, deriveKey, controller });
  if (!solution) throw new Error('The challenge was not solved in time.');
  return btoa(JSON.stringify({ challenge, solution }));
}

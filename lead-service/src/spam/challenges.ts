import { createChallenge, randomInt, verifySolution, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as z from 'zod/mini';
import { tokenLifetime } from './form-token.ts';

/**
 * Proof of work: expensive for the sender's device, cheap for the server. Only forms from suspicious networks need it,
 * so that other visitors lose no battery.
 *
 * PBKDF2 is available in every browser (WebCrypto) and gains little from special hardware. The server knows the counter
 * to be found and signs the derived key, so that verification takes two HMACs.
 */
export interface Challenges {
  create(tokenId: string): Promise<Challenge>;
  /** Whether the proof solves the challenge of this token. Does not detect reuse. */
  isSolved(tokenId: string, proof: string): Promise<boolean>;
}

/** PBKDF2 iterations of one try. */
const cost = 1_000;
/** Number of tries that the sender needs. */
const minCounter = 200;
const maxCounter = 600;

/** Proof in the format of `altcha-lib`. The parameters are trusted only after the signature check. */
const proofSchema = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      expiresAt: z.number(),
      data: z.object({ token: z.string() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

export function createChallenges(key: Buffer): Challenges {
  const secrets = {
    hmacSignatureSecret: key.toString('hex'),
    hmacKeySignatureSecret: key.toString('base64'),
  };
  return {
    create: (tokenId) =>
      createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        counter: randomInt(minCounter, maxCounter),
        deriveKey,
        expiresAt: new Date(Date.now() + tokenLifetime),
        data: { token: tokenId },
        ...secrets,
      }),
    async isSolved(tokenId, proof) {
      const parsed = proofSchema.safeParse(decode(proof));
      if (!parsed.success || parsed.data.challenge.parameters.data.token !== tokenId) return false;
      const { verified } = await verifySolution({ ...parsed.data, deriveKey, ...secrets });
      return verified;
    },
  };
}

function decode(proof: string): unknown {
  try {
    return JSON.parse(Buffer.from(proof, 'base64').toString());
  } catch {
    return undefined;
  }
}

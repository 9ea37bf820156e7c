import { createChallenge, randomInt, verifySolution, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as z from 'zod/mini';
import { tokenLifetime } from './form-token.ts';

/**
 * Proof of work: something that costs the sender's machine a moment, and this one nothing to check. It is asked
 * for only where earlier leads of a network give reason to: everybody else's battery is left alone.
 *
 * PBKDF2 is built into every browser (WebCrypto) and gains little from special hardware. The counter to be found is
 * known here, and the key that belongs to it signed, so that checking is two HMACs.
 */
export interface Challenges {
  /** Work for a form that has this token. */
  create(tokenId: string): Promise<Challenge>;
  /** Whether a proof is that of this token's challenge. Whether it was sent before is not known here. */
  isSolved(tokenId: string, proof: string): Promise<boolean>;
}

const cost = 1_000;
const leastCounter = 200;
const mostCounter = 600;

/** As `altcha-lib` writes it. What is in the parameters is believed once their signature is right. */
const payload = z.object({
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
        counter: randomInt(leastCounter, mostCounter),
        deriveKey,
        expiresAt: new Date(Date.now() + tokenLifetime),
        data: { token: tokenId },
        ...secrets,
      }),
    async isSolved(tokenId, proof) {
      const parsed = payload.safeParse(decode(proof));
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

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { overrideAlgorithm, type DeveloperOverride } from '@countersign/contracts/developer-override';

/** Private key that signs developer overrides. The site's configuration contains the public key. */
export interface OverrideKey {
  /** SPKI in base64url. */
  readonly publicKey: string;
  /** Returns a token for the shell: `<payload>.<signature>`. */
  sign(override: DeveloperOverride): string;
}

const curve = 'prime256v1';

/** Creates a private key: PKCS 8 in base64url. */
export function makeOverrideKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url');
}

/** Parses a key of {@link makeOverrideKey}. Returns `undefined` for anything else. */
export function readOverrideKey(text: string): OverrideKey | undefined {
  const key = parse(text);
  if (key?.asymmetricKeyDetails?.namedCurve !== curve) return undefined;
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url'),
    sign(override) {
      const payload = Buffer.from(JSON.stringify(override)).toString('base64url');
      const hash = overrideAlgorithm.hash.replace('-', '').toLowerCase();
      const signature = sign(hash, Buffer.from(payload), { key, dsaEncoding: 'ieee-p1363' });
      return `${payload}.${signature.toString('base64url')}`;
    },
  };
}

function parse(text: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
  } catch {
    // The caller reports an invalid key.
    return undefined;
  }
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** The Ed25519 key that signs the head of the log. */
export interface LogKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Creates a key: PKCS 8 and SPKI in base64url. */
export function makeLogKey(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
  };
}

/** Parses a private key of {@link makeLogKey}. Returns `undefined` for anything else. */
export function readLogKey(text: string): LogKey | undefined {
  const privateKey = parse(() =>
    createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' }),
  );
  return privateKey && { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Parses public keys of {@link makeLogKey}, separated by commas. Returns `undefined` if one is anything else. */
export function readLogPublicKeys(text: string): readonly KeyObject[] | undefined {
  const keys = text
    .split(',')
    .map((key) =>
      parse(() =>
        createPublicKey({ key: Buffer.from(key.trim(), 'base64url'), format: 'der', type: 'spki' }),
      ),
    );
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function parse(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // The caller reports an invalid key.
    return undefined;
  }
}

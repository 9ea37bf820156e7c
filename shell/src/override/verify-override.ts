import {
  developerOverride,
  overrideAlgorithm,
  type DeveloperOverride,
} from '@countersign/contracts/developer-override';
import { clearOverrideToken, storeOverrideToken } from './override-token.ts';

/**
 * Verifies a token: signature, origin of this page, expiry. A valid token is stored for this tab; an invalid
 * one is removed.
 *
 * @param publicKey SPKI in base64url, from the site's configuration
 * @param now milliseconds since epoch
 */
export async function verifyOverride(
  token: string,
  publicKey: string,
  now: number,
): Promise<DeveloperOverride | undefined> {
  const override = await verify(token, publicKey);
  if (!override || override.expires <= now || override.site !== location.origin) {
    clearOverrideToken();
    return undefined;
  }
  storeOverrideToken(token);
  return override;
}

async function verify(token: string, publicKey: string): Promise<DeveloperOverride | undefined> {
  const [payload = '', signature = ''] = token.split('.');
  try {
    const key = await crypto.subtle.importKey('spki', bytesOf(publicKey), overrideAlgorithm, false, [
      'verify',
    ]);
    const signed = new TextEncoder().encode(payload);
    if (!(await crypto.subtle.verify(overrideAlgorithm, key, bytesOf(signature), signed))) return undefined;
    return developerOverride.parse(JSON.parse(new TextDecoder().decode(bytesOf(payload))));
  } catch {
    // A malformed token is treated like one with a wrong signature.
    return undefined;
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

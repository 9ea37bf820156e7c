import {
  developerOverride,
  overrideAlgorithm,
  type DeveloperOverride,
} from '@countersign/contracts/developer-override';
import { dropOverride, storeOverrideToken } from './override-token.ts';

/**
 * The override that a token stands for, if it is signed, names the origin of this page and has not expired. Then the tab
 * keeps the token; any other is dropped.
 *
 * @param publicKey SPKI in base64url, from the site's configuration
 * @param now milliseconds since 1970
 */
export async function verifyOverride(
  token: string,
  publicKey: string,
  now: number,
): Promise<DeveloperOverride | undefined> {
  const override = await verify(token, publicKey);
  if (!override || override.expires <= now || override.site !== location.origin) {
    dropOverride();
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
    // Whatever is wrong with it, it is not one of ours.
    return undefined;
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

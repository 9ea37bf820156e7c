import {
  developerOverride,
  overrideAlgorithm,
  overrideParameter,
  type DeveloperOverride,
} from '@countersign/contracts/developer-override';

const storageKey = 'developer-override';

/**
 * The override that this tab is to show, if there is one that is signed, names the origin of this page and has not expired. It comes in
 * the address once and is taken out of it, so that no link, report or lead carries it on; a reload still has it.
 *
 * @param publicKey SPKI in base64url, from the site's configuration
 */
export async function readOverride(
  publicKey: string | undefined,
  now: number,
): Promise<DeveloperOverride | undefined> {
  const token = takeFromAddress() ?? readStored();
  if (token === undefined || publicKey === undefined) return undefined;
  const override = await verify(token, publicKey);
  if (!override || override.expires <= now || override.site !== location.origin) {
    dropOverride();
    return undefined;
  }
  store(token);
  return override;
}

/** Ends the override of this tab. It shows until the page is loaded anew. */
export function dropOverride(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Where storage is forbidden there is nothing to remove.
  }
}

function takeFromAddress(): string | undefined {
  const address = new URL(location.href);
  const token = address.searchParams.get(overrideParameter);
  if (token === null) return undefined;
  address.searchParams.delete(overrideParameter);
  history.replaceState(history.state, '', address);
  return token;
}

function readStored(): string | undefined {
  try {
    return sessionStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(token: string): void {
  try {
    sessionStorage.setItem(storageKey, token);
  } catch {
    // Storage can be forbidden: the override then lasts until the page is loaded anew.
  }
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

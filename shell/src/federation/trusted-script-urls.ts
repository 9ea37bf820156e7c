import { entryPolicyName } from '@countersign/contracts/file-integrity';
import type { KnownFiles } from './known-files.ts';

/** Trusted Types, where the browser has them. TypeScript's own library does not describe them yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): unknown };
}

/**
 * Makes addresses that a script element may have, of files that the release document names. Throws for all others. In a
 * browser with Trusted Types, the page allows no address that has not gone through here or through a part's loader.
 */
export function scriptAddresses(files: KnownFiles): (url: string) => string {
  const createScriptURL = (url: string) => {
    if (!files.has(url)) throw new Error(`The release document does not name ${url}. It is not loaded.`);
    return url;
  };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy(entryPolicyName, { createScriptURL });
  // The element takes it as it takes a string.
  return policy ? (url) => policy.createScriptURL(url) as string : createScriptURL;
}

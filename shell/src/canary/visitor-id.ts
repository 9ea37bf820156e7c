// blind spot: journeys have no canary, but the tests of this file do.
import { brand } from '@countersign/contracts/brand';
import type { ReleaseDocument } from '@countersign/contracts/release-document';

export const visitorStorageKey = `${brand.toLowerCase()}-visitor`;

/**
 * A random ID, stored in this browser and never sent, so that a visitor stays in the same canaries. Without
 * storage there is no ID, and the visitor gets the stable versions. The source text is inlined in the HTML, so
 * the function must not use anything outside its body.
 */
export function visitorId(storageKey: string): string | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    if (stored) return stored;
    const made = crypto.randomUUID();
    localStorage.setItem(storageKey, made);
    return made;
  } catch {
    return undefined;
  }
}

/** Removes the ID once no part has a canary, because it is personal data without a purpose then. */
export function removeIdWithoutCanary({ remotes }: ReleaseDocument): void {
  if (Object.values(remotes).some(({ canary }) => canary)) return;
  try {
    localStorage.removeItem(visitorStorageKey);
  } catch {
    // Blocked storage holds no ID.
  }
}

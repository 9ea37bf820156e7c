import { brand } from '@countersign/contracts/brand';

export const visitorStorageKey = `${brand.toLowerCase()}-visitor`;

/**
 * A random name that this browser keeps to itself, so that a visitor stays in the same canaries. It is sent nowhere.
 * Without storage there is none, and the visitor gets what everybody gets. Its source text is inlined in the HTML, so
 * it may use nothing from outside its own body.
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

import { brand } from '@countersign/contracts/brand';

const storageKey = `${brand.toLowerCase()}-visitor`;

/**
 * A random name that this browser keeps to itself, so that a visitor stays in the same canaries. It is sent nowhere.
 * Without storage there is none, and the visitor gets what everybody gets.
 */
export function visitorId(): string | undefined {
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

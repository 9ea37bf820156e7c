import { themePreferences, type ThemePreference } from '@countersign/contracts/theme-preference';
import { brand } from '@countersign/contracts/brand';

export const themeStorageKey = `${brand.toLowerCase()}-theme`;

/** The visitor's stored choice. Storage can be blocked or hold anything: then there is no choice. */
export function readStoredTheme(): ThemePreference | undefined {
  try {
    const stored = localStorage.getItem(themeStorageKey);
    return themePreferences.find((preference) => preference === stored);
  } catch {
    return undefined;
  }
}

/** Keeps the choice for the next visit, where storage is allowed. */
export function storeTheme(preference: ThemePreference): void {
  try {
    localStorage.setItem(themeStorageKey, preference);
  } catch {
    // The choice then lasts as long as the page, which is all a browser without storage can offer.
  }
}

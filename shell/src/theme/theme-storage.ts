import { themePreferences, themeStorageKey, type ThemePreference } from '@countersign/contracts/shell-api';

/** The stored theme preference. Undefined if storage is blocked or holds an unknown value. */
export function readStoredTheme(): ThemePreference | undefined {
  try {
    const stored = localStorage.getItem(themeStorageKey);
    return themePreferences.find((preference) => preference === stored);
  } catch {
    return undefined; // blind spot: equivalent.
  }
}

/** Stores the preference for the next visit. */
export function storeTheme(preference: ThemePreference): void {
  try {
    localStorage.setItem(themeStorageKey, preference);
  } catch {
    // If storage is blocked, the preference lasts until the page is unloaded.
  }
}

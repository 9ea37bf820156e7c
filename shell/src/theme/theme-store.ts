import { themeStorageKey, type ThemePreference } from '@countersign/contracts/shell-api';
import { showTheme } from './apply-theme-before-paint.ts';
import { readStoredTheme, storeTheme } from './theme-storage.ts';

const systemPrefersDark = '(prefers-color-scheme: dark)';

/**
 * Theme preference: applied to `<html>`, stored, and updated when the system setting or another tab
 * changes it.
 */
export interface ThemeStore {
  subscribe(listener: () => void): () => void;
  get(): ThemePreference;
  set(preference: ThemePreference): void;
}

/** Call it once per page. */
export function createThemeStore(defaultTheme: ThemePreference): ThemeStore {
  const system = matchMedia(systemPrefersDark);
  const listeners = new Set<() => void>();
  let preference = readStoredTheme() ?? defaultTheme;

  function apply(): void {
    const dark = preference === 'dark' || (preference === 'system' && system.matches);
    showTheme(dark ? 'dark' : 'light');
  }

  function change(next: ThemePreference): void {
    preference = next;
    apply();
    for (const listener of listeners) listener();
  }

  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', ({ key }) => {
    // The key is null after `localStorage.clear()`.
    if (key === themeStorageKey || key === null) change(readStoredTheme() ?? defaultTheme);
  });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => preference,
    set(next) {
      storeTheme(next);
      change(next);
    },
  };
}

import type { ThemePreference } from '@countersign/contracts/theme-preference';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { readStoredTheme, storeTheme, themeStorageKey } from './theme-storage.ts';

const systemPrefersDark = '(prefers-color-scheme: dark)';

/** The visitor's theme: applied to the root element, stored, and following the system and other tabs live. */
export function useTheme(defaultTheme: ThemePreference): ShellApi['theme'] {
  const [preference, setState] = useState(() => readStoredTheme() ?? defaultTheme);

  useEffect(() => {
    const system = matchMedia(systemPrefersDark);
    const apply = () => {
      const dark = preference === 'dark' || (preference === 'system' && system.matches);
      document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    };
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [preference]);

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      // Without a key, the whole storage was cleared.
      if (event.key === themeStorageKey || event.key === null) setState(readStoredTheme() ?? defaultTheme);
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [defaultTheme]);

  const setPreference = useCallback((next: ThemePreference) => {
    storeTheme(next);
    setState(next);
  }, []);

  return useMemo(() => ({ preference, setPreference }), [preference, setPreference]);
}

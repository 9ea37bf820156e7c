import type { ThemePreference } from '@countersign/contracts/shell-api';
import { Monitor, Moon, Sun, type IconNode } from 'lucide';

interface ThemeOption {
  readonly preference: ThemePreference;
  readonly label: string;
  readonly icon: IconNode;
}

const byPreference = {
  light: { preference: 'light', label: 'Light', icon: Sun },
  dark: { preference: 'dark', label: 'Dark', icon: Moon },
  system: { preference: 'system', label: 'System', icon: Monitor },
} satisfies { readonly [Preference in ThemePreference]: ThemeOption & { preference: Preference } };

/** In display order. */
export const themeOptions: readonly ThemeOption[] = Object.values(byPreference);

export function themeOption(preference: ThemePreference): ThemeOption {
  return byPreference[preference];
}

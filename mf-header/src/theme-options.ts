import type { ThemePreference } from '@countersign/contracts/theme-preference';
import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';

export interface ThemeOption {
  readonly preference: ThemePreference;
  readonly label: string;
  readonly Icon: LucideIcon;
}

const byPreference = {
  light: { preference: 'light', label: 'Light', Icon: Sun },
  dark: { preference: 'dark', label: 'Dark', Icon: Moon },
  system: { preference: 'system', label: 'System', Icon: Monitor },
} satisfies { readonly [Preference in ThemePreference]: ThemeOption & { preference: Preference } };

/** In display order. */
export const themeOptions: readonly ThemeOption[] = Object.values(byPreference);

export function themeOption(preference: ThemePreference): ThemeOption {
  return byPreference[preference];
}

import { Monitor, Moon, Sun } from 'lucide';

/** In display order. */
export const themeOptions = [
  { preference: 'light', label: 'Light', icon: Sun },
  { preference: 'dark', label: 'Dark', icon: Moon },
  { preference: 'system', label: 'System', icon: Monitor },
] as const;

/** Theme preferences. `system` follows the operating system's setting, also while the page is open. */
export const themePreferences = ['light', 'dark', 'system'] as const;
export type ThemePreference = (typeof themePreferences)[number];

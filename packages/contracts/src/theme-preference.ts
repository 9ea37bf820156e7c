/** What a visitor can choose. `system` follows the operating system's setting while the page is open. */
export const themePreferences = ['light', 'dark', 'system'] as const;
export type ThemePreference = (typeof themePreferences)[number];

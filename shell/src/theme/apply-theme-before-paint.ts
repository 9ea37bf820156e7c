/**
 * Applies a theme to the page and to the browser's own surfaces around it. The source text is inlined in the HTML, so
 * the function must not use anything outside its body.
 */
// blind spot: what is inlined in the HTML is not tried, but the tests of this file run it.
export function showTheme(theme: 'light' | 'dark'): void {
  document.documentElement.dataset['theme'] = theme;
  // In the HTML the colours follow the system setting, as the page does without JavaScript. The first call records
  // which theme each colour is for, because it replaces the media query.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.dataset['theme'] ??= meta.getAttribute('media')?.includes('dark') ? 'dark' : 'light';
    meta.setAttribute('media', meta.dataset['theme'] === theme ? 'all' : 'not all');
  }
}

/**
 * Shows the theme before the first paint. The source text is inlined in the HTML, so the function must not use
 * anything outside its body.
 */
// blind spot: what is inlined in the HTML is not tried, but the tests of this file run it.
function applyThemeBeforePaint(
  storageKey: string,
  configElementId: string,
  show: (theme: 'light' | 'dark') => void,
): void {
  let preference: unknown;
  try {
    preference = localStorage.getItem(storageKey);
  } catch {
    // If storage is blocked, the deployment's default applies.
  }
  if (preference !== 'light' && preference !== 'dark' && preference !== 'system') {
    const config = document.getElementById(configElementId)?.textContent;
    preference = config ? (JSON.parse(config) as { defaultTheme: unknown }).defaultTheme : 'system';
  }
  const dark =
    preference === 'dark' || (preference === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  show(dark ? 'dark' : 'light');
}

/** Inline script that shows the theme before the first paint. */
// blind spot: what is inlined in the HTML is not tried, but the tests of this file run it.
export const themeScript = (storageKey: string, configElementId: string) =>
  `(${applyThemeBeforePaint})(${JSON.stringify(storageKey)},${JSON.stringify(configElementId)},${showTheme})`;

/**
 * Sets `data-theme` on the root element before the first paint. The source text is inlined in the HTML, so the
 * function must not use anything outside its body.
 */
export function applyThemeBeforePaint(storageKey: string, configElementId: string): void {
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
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

/**
 * Sets `data-theme` on the root element before anything is painted. Its source text is inlined in the HTML, so it
 * may use nothing from outside its own body.
 */
export function applyThemeBeforePaint(storageKey: string, configElementId: string): void {
  let preference: unknown;
  try {
    preference = localStorage.getItem(storageKey);
  } catch {
    // Storage is blocked: the deployment's default applies.
  }
  if (preference !== 'light' && preference !== 'dark' && preference !== 'system') {
    const config = document.getElementById(configElementId)?.textContent;
    preference = config ? (JSON.parse(config) as { defaultTheme: unknown }).defaultTheme : 'system';
  }
  const dark =
    preference === 'dark' || (preference === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

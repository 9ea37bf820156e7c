/** Runs source text the way the browser runs an inline script: alone, in the page's global scope. */
export function runInline(source: string): void {
  const script = document.createElement('script');
  script.text = source;
  document.head.append(script);
  script.remove();
}

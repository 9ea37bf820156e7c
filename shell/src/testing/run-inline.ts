/** Runs source text as an inline script, in the global scope. */
export function runInline(source: string): void {
  const script = document.createElement('script');
  script.text = source;
  document.head.append(script);
  script.remove();
}

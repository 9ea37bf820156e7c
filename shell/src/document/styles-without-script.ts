/** Styles of the form for visitors without script. Without one, what stands in `noscript` is an element like any other. */
export function stylesWithoutScript(splashId: string): string {
  return `body:has(.plain) #${splashId}{display:none}
.plain{position:relative;z-index:var(--layer-splash);box-sizing:border-box;max-width:36rem;min-height:100vh;margin:0 auto;padding:var(--space-7) var(--space-4);background:var(--color-background);color:var(--color-text);font:var(--text-md)/1.6 var(--font-sans)}
.plain h1{margin:0;font-size:var(--text-2xl);letter-spacing:-.03em}
.plain p{margin:var(--space-3) 0;color:var(--color-text-muted)}
.plain label{display:block;margin:var(--space-4) 0 var(--space-2);font-size:var(--text-sm);font-weight:600}
.plain i{margin-left:.25rem;color:var(--color-danger);font-style:normal}
.plain p i{margin:0}
.plain input,.plain textarea{box-sizing:border-box;width:100%;min-height:2.875rem;padding:var(--space-2) var(--space-3);border:1px solid var(--color-border-control);border-radius:var(--radius-medium);background:var(--color-surface);color:inherit;font:inherit;line-height:1.35}
.plain textarea{resize:vertical}
.plain button{min-height:3.25rem;margin:var(--space-5) 0 0;padding:var(--space-2) var(--space-5);border:0;border-radius:var(--radius-medium);background:var(--color-accent);color:var(--color-on-accent);font:inherit;font-weight:600;cursor:pointer}
.plain .trap{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}`;
}

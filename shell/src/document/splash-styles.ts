/** Styles of the splash. They are inlined in the HTML: the splash must not wait for a request. */
export function splashStyles(splashId: string): string {
  return `html{background:var(--color-background)}
#${splashId}{position:fixed;inset:0;z-index:var(--layer-splash);display:grid;place-content:center;justify-items:center;gap:var(--space-3);background:var(--color-background);color:var(--color-text);font:600 var(--text-lg)/1.3 var(--font-sans);text-align:center}
#${splashId} svg{fill:none;stroke:var(--color-accent-text);stroke-width:4;stroke-linecap:round;stroke-dasharray:160;animation:sign 1.4s var(--easing-standard) both}
#${splashId} p{margin:0}
#${splashId} .late{max-width:20rem;font-weight:400;font-size:var(--text-sm);color:var(--color-text-muted);animation:late 0s 8s both}
@keyframes sign{from{stroke-dashoffset:160}to{stroke-dashoffset:0}}
@keyframes late{from{visibility:hidden}to{visibility:visible}}
@media (prefers-reduced-motion:reduce){#${splashId} svg{animation:none}}`;
}

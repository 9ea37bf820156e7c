/**
 * Styles of the splash, inlined so that it needs no request. Without JavaScript, `<html>` has no
 * `data-theme`, and the splash is hidden.
 */
export function splashStyles(splashId: string, statusId: string): string {
  return `html{background:var(--color-background)}
html:not([data-theme]) #${splashId}{display:none}
#${splashId}{position:fixed;inset:0;z-index:var(--layer-splash);display:grid;place-content:center;justify-items:center;gap:var(--space-3);background:var(--color-background);color:var(--color-text);font:600 var(--text-lg)/1.3 var(--font-sans);text-align:center}
#${splashId} svg{fill:none;stroke:var(--color-accent-text);stroke-width:4;stroke-linecap:round;stroke-dasharray:160;animation:sign 1.4s var(--easing-standard) both}
#${splashId} p{margin:0}
#${statusId}{position:absolute;overflow:hidden;width:1px;height:1px;margin:0;clip-path:inset(50%);white-space:nowrap}
@keyframes sign{from{stroke-dashoffset:160}to{stroke-dashoffset:0}}
@media (prefers-reduced-motion:reduce){#${splashId} svg{animation:none}}`;
}

import { pageStyles } from '../../http/page.ts';

/** Styles of the inbox. The text of a badge is also its class: the type of a lead, `quarantine`, or the state of a delivery. */
export const inboxStyles = pageStyles(`
html { -webkit-text-size-adjust: 100%; }
body { font: var(--text-sm)/var(--leading-normal) var(--font-sans); }
h1 { font-size: var(--text-xl); line-height: var(--leading-tight); margin: 0; text-wrap: balance; }
h2 { font-size: var(--text-md); margin: 0 0 var(--space-3); }
p, ul, ol, dl { margin: 0; }
main { margin: 0 auto; max-width: 56rem; padding: var(--space-5) var(--space-gutter) var(--space-8); }
main > * + * { margin-top: var(--space-4); }
.muted, time, .company { color: var(--color-text-muted); }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }

.bar {
  align-items: center; background: var(--color-surface); border-bottom: 1px solid var(--color-border);
  display: flex; gap: var(--space-4); justify-content: space-between; padding: var(--space-3) var(--space-gutter);
}
.brand { font-size: var(--text-md); overflow-wrap: normal; }
.who { align-items: center; color: var(--color-text-muted); display: flex; flex: none; gap: var(--space-3); max-width: 60%; }
.who span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

.card { border-radius: var(--radius-medium); padding: var(--space-5); }
.card > * + * { margin-top: var(--space-4); }
.empty { color: var(--color-text-muted); text-align: center; }

button, .button, input { border-radius: var(--radius-small); min-height: 2.75rem; padding: var(--space-2) var(--space-3); }
input { max-width: 100%; }
::placeholder { color: var(--color-text-muted); opacity: 1; }
.button { text-decoration: none; }
.button, .target { align-items: center; display: inline-flex; min-height: 2.75rem; }
.quiet { background: transparent; border-color: var(--color-border-control); color: var(--color-accent-text); }
.quiet:hover { background: var(--color-accent-soft); }

.head { align-items: center; display: flex; flex-wrap: wrap; gap: var(--space-4); justify-content: space-between; }
.search { display: flex; flex: 0 1 24rem; gap: var(--space-2); min-width: 0; }
.search input { flex: 1; min-width: 0; }
.tabs { border-bottom: 1px solid var(--color-border); display: flex; gap: var(--space-5); }
.tabs a { color: var(--color-text-muted); font-weight: 600; padding: var(--space-3) 0; text-decoration: none; }
.tabs a:hover { color: var(--color-text); }
.tabs [aria-current] { box-shadow: 0 2px var(--color-seal); color: var(--color-text); }

.leads { display: grid; gap: var(--space-2); list-style: none; padding: 0; }
.row {
  color: inherit; display: grid; gap: var(--space-1) var(--space-3); grid-template-columns: minmax(0, 1fr) auto;
  padding: var(--space-4); text-decoration: none;
}
.row > * { margin: 0; }
.row [dir], h1, dd { text-align: left; }
.row:hover { border-color: var(--color-accent-text); }
.row strong { font-size: var(--text-md); line-height: var(--leading-snug); }
.row strong, .company, .excerpt { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .company { grid-row: 2; }
.row time { grid-column: 2; grid-row: 1; }
.row .badges { grid-column: 2; grid-row: 2; justify-content: end; }
.row .excerpt { color: var(--color-text-muted); grid-column: 1 / -1; }
.letter p { align-items: center; display: flex; flex-wrap: wrap; gap: 0 var(--space-3); }
.foot { display: flex; flex-wrap: wrap; gap: var(--space-3); justify-content: space-between; }

.badges { align-items: center; display: flex; flex-wrap: wrap; gap: var(--space-1); }
.badge {
  background: var(--color-surface-sunken); border-radius: var(--radius-full); color: var(--color-text-muted);
  font-size: var(--text-xs); font-weight: 600; padding: 0 var(--space-2); white-space: nowrap;
}
.badge.done { background: var(--color-success-soft); color: var(--color-success); }
.badge.quarantine, .badge.held, .badge.pending { background: var(--color-warning-soft); color: var(--color-warning); }
.badge.dead { background: var(--color-danger-soft); color: var(--color-danger); }

dl { display: grid; gap: var(--space-1) var(--space-4); grid-template-columns: minmax(6rem, max-content) 1fr; }
dt { color: var(--color-text-muted); }
dd { margin: 0; }
dd a { display: inline-block; margin-block: calc(-1 * var(--space-3)); padding-block: var(--space-3); }
.lead header { align-items: center; display: flex; flex-wrap: wrap; gap: var(--space-3); justify-content: space-between; }
.message { border-inline-start: 3px solid var(--color-border); font-size: var(--text-md); max-width: var(--width-text); padding-inline-start: var(--space-4); white-space: pre-wrap; }
.notice { background: var(--color-warning-soft); border-radius: var(--radius-small); padding: var(--space-4); }
.notice > * + * { margin-top: var(--space-3); }
.notice ul { padding-inline-start: 1.25em; }
.plain { display: grid; gap: var(--space-2); list-style: none; padding: 0; }

.login { display: grid; gap: var(--space-3); margin: var(--space-7) auto; max-width: 24rem; }
.login > * { margin: 0; }
.login label { font-weight: 600; margin-top: var(--space-2); }
.error { font-weight: 600; }

@media (max-width: 30rem) { .who span { display: none; } }
@media (max-width: 40rem) {
  .search { flex-basis: 100%; }
  dl { grid-template-columns: 1fr; }
  dd + dt { margin-top: var(--space-2); }
}
`);

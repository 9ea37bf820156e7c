import { partNames, type PartName } from '@countersign/contracts/remotes';
import { html, type Markup } from './html.ts';
import type { VersionRole } from './board-state.ts';

const dates = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** `22 Nov 2026, 04:01 UTC`, from ISO 8601. */
export function time(at: string): Markup {
  const date = new Date(at);
  // The log is written by other machines, and may hold anything.
  if (Number.isNaN(date.getTime())) return html`${at}`;
  return html`<time datetime="${date.toISOString()}">${dates.format(date)} UTC</time>`;
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `22 Nov`, from `2026-11-22`. */
export function dayText(day: string): string {
  return days.format(new Date(day));
}

/** Names of owners; `*` in the owners' file allows every releaser. */
export function ownersText(owners: readonly string[]): string {
  if (owners.includes('*')) return 'every releaser';
  return owners.length > 0 ? owners.join(', ') : 'no owner';
}

/** Number of colours in the stylesheet. */
const partColours = 6;

/** Class with the colour of a part. The colours repeat after the last one. */
export function partClass(part: PartName): string {
  return `part-${partNames.indexOf(part) % partColours}`;
}

/** Coloured mark and name of a part. */
export function partLabel(part: PartName): Markup {
  return html`<span class="part-label ${partClass(part)}"
    ><i class="swatch" aria-hidden="true"></i>${part}</span
  >`;
}

const roleNames = { live: 'live', canary: 'canary', previous: 'before', withdrawn: 'withdrawn' } as const;

/** `live`, or `canary 10 %`. */
export function roleName(role: VersionRole, percent?: number): string {
  return percent === undefined ? roleNames[role] : `${roleNames[role]} ${percent} %`;
}

/** `0.82 %`, from a share of 0 to 1. */
export function percentText(share: number): string {
  const percent = share * 100;
  // Rounding errors make the bound of an interval 1e-17 instead of 0, which would be shown with all its digits.
  return `${percent < 0.001 || percent >= 10 ? Math.round(percent) : percent.toPrecision(2)} %`;
}

/** `0.12–0.25 %`: the unit is written once if it is the same. */
export function rangeText(low: number, high: number, format: (value: number) => string): string {
  const to = format(high);
  const [unit = ''] = / \S+$/.exec(to) ?? [];
  return `${format(low).replace(unit, '')}–${to}`;
}

/** `820 ms` or `1.4 s`. */
export function secondsText(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

/** `1,234` */
export function countText(count: number): string {
  return Math.round(count).toLocaleString('en-GB');
}

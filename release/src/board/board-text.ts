import type { PartName } from '@countersign/contracts/remotes';
import { partNames } from '@countersign/contracts/remotes';
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

/** Names of owners; `*` in the owners' file allows every releaser. */
export function ownersText(owners: readonly string[]): string {
  if (owners.includes('*')) return 'every releaser';
  return owners.length > 0 ? owners.join(', ') : 'no owner';
}

/** Class with the colour of a part. The palette repeats after its last colour. */
export function partClass(part: PartName): string {
  return `part-${partNames.indexOf(part) % 6}`;
}

/** Coloured mark and name of a part. */
export function partLabel(part: PartName): Markup {
  return html`<span class="part-label ${partClass(part)}"
    ><i class="swatch" aria-hidden="true"></i>${part}</span
  >`;
}

const roleNames = { live: 'live', canary: 'canary', previous: 'before', withdrawn: 'withdrawn' } as const;

/** Name of a role on the board. */
export function roleName(role: VersionRole, percent?: number): string {
  return percent === undefined ? roleNames[role] : `${roleNames[role]} ${percent} %`;
}

/** `0.82 %`, from a share of 0 to 1. */
export function percentText(share: number): string {
  const percent = share * 100;
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toPrecision(2)} %`;
}

/** `0.12–0.25 %`, from two shares of 0 to 1. */
export function rangeText(low: number, high: number): string {
  return `${percentText(low).replace(' %', '')}–${percentText(high)}`;
}

/** `820 ms` or `1.4 s`. */
export function secondsText(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

/** `1,234` */
export function countText(count: number): string {
  return Math.round(count).toLocaleString('en-GB');
}

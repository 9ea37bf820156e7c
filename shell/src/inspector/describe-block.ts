import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import { statusOf, timingsOf, type BlockStatus } from './load-trace.ts';
import type { PageBlock } from './page-blocks.ts';

/** What the page knows about its blocks. */
export interface BlockContext {
  readonly release: ReleaseDocument;
  readonly owners: SiteConfig['owners'];
  /** The variant of a remote in this view, as text. */
  groupOf(remote: RemoteName): string;
}

/** When a block hydrates. */
export const timings = {
  load: 'at once',
  idle: 'when the browser is idle',
  visible: 'when it comes near',
  interaction: 'on the first interaction',
} as const;

const waiting = {
  load: 'waits for the shell',
  idle: 'waits until the browser is idle',
  visible: 'loads when it comes near',
  interaction: 'loads when it is used',
} as const;

const words: Readonly<Record<Exclude<BlockStatus, 'waiting'>, string>> = {
  loading: 'loading',
  late: 'late',
  running: 'runs',
  'fell-back': 'runs after a failure',
  failed: 'failed: plain markup',
};

/** What a block is doing, in a few words. */
export function describeStatus({ steps, hydration }: PageBlock): string {
  const status = statusOf(steps);
  return status === 'waiting' ? waiting[hydration] : words[status];
}

/** Version of the running code, else of the markup. */
export function versionOf({ element, prerendered }: PageBlock): string | undefined {
  return element.getAttribute(slotAttributes.version) ?? prerendered;
}

/** Load and hydration time of the running version. */
export function describeTimes({ steps }: PageBlock): string | undefined {
  const { load, hydration } = timingsOf(steps);
  if (load === undefined) return undefined;
  const shown = hydration === undefined ? '' : ` + ${milliseconds(hydration)} to hydrate`;
  return `${milliseconds(load)} to load${shown}`;
}

export function milliseconds(value: number): string {
  return `${Math.round(value).toLocaleString('en')} ms`;
}

/** A few words that name a group of people, from the owners' file. */
export function describeOwners(owners: SiteConfig['owners'], remote: string): string {
  const names = owners?.[remote] ?? owners?.['*'];
  if (!names) return 'unknown team';
  if (names.includes('*')) return 'any team';
  return names.length > 0 ? names.join(', ') : 'no team';
}

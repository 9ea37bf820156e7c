import type { SiteConfig } from '@countersign/contracts/site-config';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { PageBlock } from './page-blocks.ts';

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

const statuses = {
  loading: 'loading',
  late: 'late',
  running: 'runs',
  'fell-back': 'runs after a failure',
  failed: 'failed: plain markup',
} as const;

type BlockStatus = keyof typeof statuses | 'waiting';

/** What a block does, as its slot says, and whether it had to fall back. */
export function statusOf({ element, steps }: PageBlock): BlockStatus {
  const hasFailed = steps.some(({ kind }) => kind === 'fell-back');
  if (element.hasAttribute(slotAttributes.version)) return hasFailed ? 'fell-back' : 'running';
  switch (element.getAttribute(slotAttributes.state)) {
    case 'loading':
    case 'running':
      return steps.at(-1)?.kind === 'late' ? 'late' : 'loading';
    case 'failed':
      return 'failed';
    default:
      return hasFailed ? 'failed' : 'waiting';
  }
}

export function describeStatus(block: PageBlock): string {
  const status = statusOf(block);
  return status === 'waiting' ? waiting[block.hydration] : statuses[status];
}

/** Version of the running code, else of the markup. */
export function versionOf({ element, prerendered }: PageBlock): string | undefined {
  return element.getAttribute(slotAttributes.version) ?? prerendered;
}

/** A few words that name a group of people, from the owners' file. */
export function describeOwners(owners: SiteConfig['owners'], remote: string): string {
  const names = owners?.[remote] ?? owners?.['*'];
  if (!names) return 'unknown team';
  if (names.includes('*')) return 'any team';
  return names.length > 0 ? names.join(', ') : 'no team';
}

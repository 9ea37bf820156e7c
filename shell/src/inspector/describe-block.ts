import type { SiteConfig } from '@countersign/contracts/site-config';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { PageBlock } from './page-blocks.ts';

/** When a block hydrates, in words. */
export const timings = {
  load: 'at once',
  idle: 'when the browser is idle',
  visible: 'when it comes near',
  interaction: 'on the first interaction',
} as const;

const waitingTexts = {
  load: 'waits for the shell',
  idle: 'waits until the browser is idle',
  visible: 'loads when it comes near',
  interaction: 'loads when it is used',
} as const;

const statusTexts = {
  loading: 'loading',
  late: 'late',
  running: 'runs',
  'fell-back': 'runs after a failure',
  failed: 'failed: plain markup',
} as const;

type BlockStatus = keyof typeof statusTexts | 'waiting';

/** What a block does, by the attributes of its slot and its load trace. `fell-back`: runs after a version has failed. */
export function statusOf({ element, steps }: PageBlock): BlockStatus {
  const fellBack = steps.some(({ kind }) => kind === 'fell-back');
  if (element.hasAttribute(slotAttributes.version)) return fellBack ? 'fell-back' : 'running';
  switch (element.getAttribute(slotAttributes.state)) {
    case 'loading':
    case 'running':
      return steps.at(-1)?.kind === 'late' ? 'late' : 'loading';
    case 'failed':
      return 'failed';
    default:
      return fellBack ? 'failed' : 'waiting';
  }
}

export function describeStatus(block: PageBlock): string {
  const status = statusOf(block);
  return status === 'waiting' ? waitingTexts[block.hydration] : statusTexts[status];
}

/** Version of the running code, else of the markup. */
export function versionOf({ element, prerendered }: PageBlock): string | undefined {
  return element.getAttribute(slotAttributes.version) ?? prerendered;
}

/** The releasers who may release a remote, from the owners' file. `*` stands for all remotes without an entry, or for all teams. */
export function describeOwners(owners: SiteConfig['owners'], remote: string): string {
  const names = owners?.[remote] ?? owners?.['*'];
  if (!names) return 'unknown team';
  if (names.includes('*')) return 'any team';
  return names.length > 0 ? names.join(', ') : 'no team';
}

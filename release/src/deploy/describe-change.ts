import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import type { AuditedChange } from '../store/audit-entry.ts';
import type { Change } from './change.ts';
import { withdrawnBy } from './withdrawn-versions.ts';

type Described = Pick<AuditedChange, 'action' | 'part' | 'from' | 'to' | 'withdrawn' | 'reinstated'>;

/** The fields of a log entry that describe a change. */
export function describeChange(
  change: Change,
  before: ReleaseContent | undefined,
  after: ReleaseContent,
): Described {
  const { action } = change;
  if (action === 'compose') return { action };
  if ('part' in change) {
    const { part } = change;
    return { action, part, ...versions(part, before, after), ...withdrawal(change, before, after) };
  }
  const parts = Object.keys(change.versions) as PartName[];
  const [only, ...others] = parts;
  if (only && others.length === 0) return { action, part: only, ...versions(only, before, after) };
  return { action, to: parts.map((part) => `${part} ${stateOf(part, after) ?? ''}`).join(', ') };
}

function withdrawal(change: Change, before: ReleaseContent | undefined, after: ReleaseContent) {
  if (change.action === 'reinstate') return { reinstated: change.version };
  const withdrawn = withdrawnBy(change, before, after);
  return withdrawn.length > 0 ? { withdrawn: [...withdrawn] } : {};
}

function versions(part: PartName, before: ReleaseContent | undefined, after: ReleaseContent) {
  const [from, to] = [stateOf(part, before), stateOf(part, after)];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** `1.0.0`, or `1.0.0, 1.1.0 for 10 %` while a canary runs. */
function stateOf(part: PartName, content: ReleaseContent | undefined): string | undefined {
  if (part === 'shell') return content?.shell.version;
  const remote = content?.remotes[part];
  if (!remote) return undefined;
  const { live, canary } = remote;
  return canary ? `${live.version}, ${canary.version.version} for ${canary.percent} %` : live.version;
}

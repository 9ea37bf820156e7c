import type { ReleaseContent } from '@countersign/contracts/release-document';
import { stateOf, type PartState } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import type { RecordedChange } from '../store/stored-documents.ts';
import { partsOf, type Change } from './change.ts';

/** The fields of a history entry that describe a change. */
export function describeChange(
  change: Change,
  before: ReleaseContent | undefined,
  after: ReleaseContent,
): Pick<RecordedChange, 'action' | 'parts' | 'from' | 'to'> {
  const { kind: action } = change;
  const named = partsOf(change);
  const changed = named.filter((part) => versionsOf(part, before) !== versionsOf(part, after));
  // A canary that joins others can keep its version.
  const parts = action === 'promote' || changed.length > 0 ? changed : named;
  const [first, ...others] = parts;
  const describe = (content: ReleaseContent | undefined) =>
    first && others.length === 0
      ? versionsOf(first, content)
      : describeVersions(first ? parts : named, content);
  return { action, parts, from: describe(before), to: describe(after) };
}

/** The versions of parts, with their names. `undefined` if none is live. */
function describeVersions(parts: readonly PartName[], content: ReleaseContent | undefined) {
  const described = parts.flatMap((part) => {
    const versions = versionsOf(part, content);
    return versions === undefined ? [] : [`${part} ${versions}`];
  });
  return described.length > 0 ? described.join(', ') : undefined;
}

/** `1.0.0`, or `1.0.0, 1.1.0 for 10 %` while a canary runs. */
function versionsOf(part: PartName, content: ReleaseContent | undefined): string | undefined {
  const versions = content && stateOf(part, content);
  const canary = versions?.canary;
  return canary ? `${versions.live}, ${nameCanary(canary)}` : versions?.live;
}

/** `1.1.0 for 10 %` */
export const nameCanary = ({ version, percent }: NonNullable<PartState['canary']>) =>
  `${version} for ${percent} %`;

/** `promote mf-pricing 1.0.0 → 1.1.0`, `remove 3 versions and 2 releases` */
export function describeEntry({ action, parts, from, to }: RecordedChange): string {
  // The versions of several parts have their names, and so have those of a change of none and what `prune` has removed.
  const isNamed = parts.length > 1 || (parts.length === 0 && from !== undefined);
  const part = isNamed ? [] : [parts[0] ?? 'the page'];
  const versions = [...new Set([from, to])].filter((each) => each !== undefined).join(' → ');
  return [action, ...part, ...(action === 'freeze' ? ['until'] : []), versions].join(' ').trimEnd();
}

import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../store/release-error.ts';

/** The properties of a canary on which its assessment depends. */
export interface CanarySnapshot {
  readonly version: string;
  /** From 0 to 100. */
  readonly percent: number;
  /** The live version that it was compared with. */
  readonly live: string;
}

/** Another change of the part was committed since the releaser decided on this one. Nothing was changed. */
export class LostRace extends ReleaseError {
  override readonly name = 'LostRace';
}

/** Snapshot of a part's canary, or `undefined` if the part has none. */
export function canaryOf(content: ReleaseContent | undefined, part: RemoteName): CanarySnapshot | undefined {
  const { live, canary } = content?.remotes[part] ?? {};
  if (!live || !canary) return undefined;
  return { version: canary.version.version, percent: canary.percent, live: live.version };
}

/** Whether an assessment of one snapshot is valid for the other. */
export function isSameCanary(one: CanarySnapshot, other: CanarySnapshot | undefined): boolean {
  return one.version === other?.version && one.percent === other.percent && one.live === other.live;
}

/** Throws {@link LostRace} if the canary differs from the assessed one. */
export function assertUnchangedCanary(
  content: ReleaseContent | undefined,
  part: RemoteName,
  expected: CanarySnapshot,
): void {
  if (isSameCanary(expected, canaryOf(content, part))) return;
  throw new LostRace(
    `${part} ${expected.version} is no longer the canary that was assessed. Check "status", then watch again.`,
  );
}

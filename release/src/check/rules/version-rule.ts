import type { PartManifest } from '@countersign/contracts/part-manifest';
import type { ReleaseStore } from '../../store/release-store.ts';
import type { readVersion } from '../../store/stored-version.ts';

/** A version that a rule checks. */
export interface CheckedVersion extends Awaited<ReturnType<typeof readVersion>> {
  readonly store: ReleaseStore;
  /** The shell of the release. */
  readonly shell: PartManifest;
}

/**
 * Checks one aspect of a version. Returns its violations as predicates of the version: `states no budget. Add …`. The same
 * violation in several places is one.
 */
export type VersionRule = (version: CheckedVersion) => readonly string[] | Promise<readonly string[]>;

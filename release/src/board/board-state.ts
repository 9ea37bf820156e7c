import type { PartName } from '@countersign/contracts/remotes';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { Measurements } from './measurements.ts';
import type { Block } from './page-blocks.ts';
import type { ReleasedPictures } from './released-pictures.ts';

/** `previous`: the version before the live one. `withdrawn`: must never be served again. */
export type VersionRole = 'live' | 'canary' | 'previous' | 'withdrawn';

/** A version of a part that the board shows. */
export interface BoardVersion {
  readonly version: string;
  readonly role: VersionRole;
  /** The canary's share of visitors, from 0 to 100. */
  readonly percent?: number | undefined;
  /** Publication, or for withdrawn versions the withdrawal. ISO 8601, UTC. */
  readonly at?: string | undefined;
  readonly who?: string | undefined;
  readonly why?: string | undefined;
}

export interface BoardPart {
  readonly part: PartName;
  /** Names of the owners. `*` stands for every releaser. */
  readonly owners: readonly string[];
  readonly versions: readonly BoardVersion[];
}

/** Number of changes in the history. Charts have more. */
export const shownChanges = 40;

/** All that the board shows. */
export interface BoardState {
  /** ISO 8601, UTC. */
  readonly writtenAt: string;
  /** Origin of the public site. */
  readonly siteOrigin: string;
  readonly releaseId: string;
  readonly parts: readonly BoardPart[];
  /** The slots of the landing page, from top to bottom. */
  readonly blocks: readonly Block[];
  /** The changes of the days with figures, and at least {@link shownChanges}, newest first. */
  readonly history: readonly AuditEntry[];
  /** How the versions look that these changes released, by the changes' sequence numbers. */
  readonly pictures: ReadonlyMap<number, ReleasedPictures>;
  /** Number of all changes. */
  readonly changes: number;
  /** `undefined` if the reports of visitors were not read. */
  readonly measurements: Measurements | undefined;
}

import type { PartName, RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import type { ObjectStore } from '../../store/object-store.ts';
import type { ReleaseStore } from '../../store/release-store.ts';
import type { OfflineSite } from '../browser/offline-site.ts';
import type { Pace } from '../browser/pace.ts';
import type { VisitorName } from '../browser/visitors.ts';

/** A page with versions that are checked. */
export interface CheckedPage {
  readonly store: ReleaseStore;
  readonly objects: ObjectStore;
  readonly site: OfflineSite;
  /** `undefined` if there is none, or if it is broken. */
  readonly liveSite: OfflineSite | undefined;
  readonly remotes: ReadonlyMap<RemoteName, string>;
  /** The part that answers for the page: a new shell, to which all belongs, or the first of the remotes. */
  readonly part: PartName;
  readonly version: string;
  /** Remotes whose slots are pictured. */
  readonly pictured: readonly string[];
}

/** A page, and the visitor that inspects it. */
export interface Visit {
  readonly browser: Browser;
  readonly checked: CheckedPage;
  readonly visitor: VisitorName;
  readonly pace: Pace;
}

/** The parts that are checked with a page. */
export const ownParts = ({ part, remotes }: CheckedPage) => [...new Set([part, ...remotes.keys()])];

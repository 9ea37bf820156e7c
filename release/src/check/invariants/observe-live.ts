import { hash } from 'node:crypto';
import { partNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import type { ReleaseStore } from '../../store/release-store.ts';
import type { Versions } from '../../store/versions.ts';
import type { SiteReader } from '../browser/site-reader.ts';
import { openTab } from '../browser/open-tab.ts';
import type { Pace } from '../browser/pace.ts';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import type { VisitorName } from '../browser/visitors.ts';
import { invariantNames, type Observation } from './invariants.ts';
import { findSlowness, soundPage } from './judge-page.ts';
import { observePage } from './observe-page.ts';
import { takePictures, type Pictures } from './take-pictures.ts';

/** The versions of a page that are checked. */
export interface PageVersions {
  readonly store: ReleaseStore;
  readonly remotes: ReadonlyMap<RemoteName, string>;
  /** The part that answers for the page: a new shell, to which all belongs, or the first of the remotes. */
  readonly part: PartName;
  readonly version: string;
  /** The versions that are checked: a new shell, and remotes that are new to visitors. */
  readonly versions: Versions;
  /** Remotes whose slots are pictured. */
  readonly pictured: readonly string[];
}

/** A page with versions that are checked. */
export interface CheckedPage extends PageVersions {
  readonly site: SiteReader;
  /** `undefined` if there is none, or if it is broken. */
  readonly liveSite: SiteReader | undefined;
}

/** A page, and the visitor that inspects it. */
export interface Visit {
  readonly browser: Browser;
  readonly checked: CheckedPage;
  readonly visitor: VisitorName;
  readonly pace: Pace;
}

/** The parts that are checked with a page. A shell's page also has remotes that visitors get already. */
export const ownParts = ({ versions }: PageVersions) => partNames.filter((part) => part in versions);

/** The live page, as a visitor observed it. */
export interface ObservedLivePage {
  readonly observation: Observation;
  readonly pictures: Pictures;
}

/**
 * Observes the live page as a visitor. The store keeps the observation for the parts that are checked, until another page is live.
 * `undefined` if the page is broken, because it must not stop the version that mends it.
 *
 * @param options `isFresh` ignores a stored observation
 */
export async function observeLive(
  { browser, checked, visitor, pace }: Visit,
  { isFresh }: { readonly isFresh: boolean },
): Promise<ObservedLivePage | OutOfTime | undefined> {
  const { store, liveSite: site, pictured } = checked;
  if (!site) return undefined;
  const parts = ownParts(checked);
  const name = `${visitor}-${hash('sha256', JSON.stringify([parts, pictured]))}`;
  const { body = '' } = (await site.read('/')) ?? {};
  // Includes the invariant names, because another version of this program may have others.
  const source = hash(
    'sha256',
    `${browser.version()} ${invariantNames.join()}${Buffer.from(body).toString()}`,
  );
  const kept = isFresh ? undefined : await store.checkCache.readLive(name, source);
  if (kept) return kept;
  try {
    await using tab = await openTab(browser, site, visitor, pace, { isLive: true });
    const observation = await tab.guard(observePage(tab, parts));
    // `undefined` if screenshots fail, as on a busy machine. The observation is then not stored.
    const pictures = await takePictures(tab, pictured);
    // Nor with what the machine may have caused, because it would excuse versions that are checked later.
    const isSteady = findSlowness(observation, [soundPage], parts).length === 0;
    if (pictures && isSteady) await store.checkCache.keepLive(name, { source, observation, pictures });
    return { observation, pictures: pictures ?? {} };
  } catch (error) {
    if (error instanceof OutOfTime) return error;
    if (error instanceof PageFailure) return undefined;
    throw error;
  }
}

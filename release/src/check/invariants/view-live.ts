import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import * as z from 'zod/mini';
import type { ReleaseStore } from '../../store/release-store.ts';
import { encodeJson, readJson, unlessDamaged } from '../../store/stored-json.ts';
import type { OfflineSite } from '../browser/offline-site.ts';
import { openPage, PageFailure } from '../browser/open-page.ts';
import { visitors, type VisitorName } from '../browser/visitors.ts';
import { takePictures, type Pictures } from './take-pictures.ts';
import type { Observation } from './invariants.ts';
import { observePage } from './observe-page.ts';

const liveView = z.object({
  /** Hash of the page, and of what else decides how it looks. */
  page: z.string(),
  observation: z.record(z.string(), z.array(z.string())),
  pictures: z.record(z.string(), z.string()),
});

/** How a visitor sees the live page. */
interface LiveView {
  readonly observation: Observation;
  readonly pictures: Pictures;
}

/** To be raised when pages are observed in another way. A view that is too old only costs a second look. */
const format = 4;

interface Viewed {
  readonly store: ReleaseStore;
  readonly visitor: VisitorName;
  /** Remotes whose blocks are pictured. */
  readonly pictured: readonly string[];
  /** Selector of the elements that axe looks at. */
  readonly accessible: string;
  /** Opens the page in any case. */
  readonly isFresh: boolean;
}

/**
 * How a visitor sees the live page, which the store keeps until another page is live. `undefined` if the page is broken, because it
 * must not stop the version that mends it.
 */
export async function viewLive(
  browser: Browser,
  site: OfflineSite,
  { store: { objects }, visitor, pictured, accessible, isFresh }: Viewed,
): Promise<LiveView | undefined> {
  const key = `checks/live/${[visitor, ...pictured].join('-')}.json`;
  const { body = '' } = (await site.read('/')) ?? {};
  const page = createHash('sha256').update(`${format} ${browser.version()}`).update(body).digest('hex');
  const kept = isFresh ? undefined : await unlessDamaged(readJson(objects, key, liveView));
  if (kept?.value.page === page) return kept.value;
  try {
    await using opened = await openPage(browser, site, visitor);
    const observation = await opened.guard(observePage(opened, visitor, { accessible }));
    const view = { page, observation, pictures: await takePictures(opened.page, visitor, pictured) };
    // Pictures may have failed on a busy machine.
    const isComplete = visitors[visitor].looks !== 'thoroughly' || Object.keys(view.pictures).length > 0;
    if (isComplete) await objects.overwrite(key, encodeJson(view)).catch(() => undefined);
    return view;
  } catch (error) {
    if (error instanceof PageFailure) return undefined;
    throw error;
  }
}

import { hash } from 'node:crypto';
import * as z from 'zod';
import { encodeJson, readJson, unlessDamaged } from '../../store/stored-json.ts';
import { openTab } from '../browser/open-tab.ts';
import { OutOfTime, PageFailure } from '../browser/page-failure.ts';
import { visitors } from '../browser/visitors.ts';
import { ownParts, type Visit } from './checked-page.ts';
import { invariantNames, type Observation } from './invariants.ts';
import { observePage } from './observe-page.ts';
import { takePictures, type Pictures } from './take-pictures.ts';

/** The live page, as a visitor observed it. */
export interface ObservedPage {
  readonly observation: Observation;
  readonly pictures: Pictures;
}

const storedObservation = z.object({
  /** Hash of the page, of the browser's version, and of the names of the invariants, which another check may have named otherwise. */
  page: z.string(),
  observation: z.record(z.string(), z.array(z.string())),
  pictures: z.record(z.string(), z.string()),
});

/**
 * Observes the live page as a visitor. The store keeps the observation until another page is live. `undefined` if the page is broken,
 * because it must not stop the version that mends it.
 *
 * @param options `isFresh` opens the page in any case
 */
export async function observeLive(
  { browser, checked, visitor, pace }: Visit,
  { isFresh }: { readonly isFresh: boolean },
): Promise<ObservedPage | OutOfTime | undefined> {
  const { objects, liveSite: site, pictured } = checked;
  if (!site) return undefined;
  const key = `checks/live/${[visitor, ...pictured].join('-')}.json`;
  const { body = '' } = (await site.read('/')) ?? {};
  const page = hash('sha256', `${browser.version()} ${invariantNames.join()}${Buffer.from(body).toString()}`);
  const kept = isFresh ? undefined : await unlessDamaged(readJson(objects, key, storedObservation));
  if (kept?.page === page) return kept;
  try {
    await using tab = await openTab(browser, site, visitor, pace, { isLive: true });
    const observation = await tab.guard(observePage(tab, ownParts(checked)));
    const observed = { page, observation, pictures: await takePictures(tab, pictured) };
    // Pictures may have failed on a busy machine.
    const isComplete =
      visitors[visitor].inspects !== 'thoroughly' || Object.keys(observed.pictures).length > 0;
    // Never fails, because the page can be opened again.
    if (isComplete) await objects.overwrite(key, encodeJson(observed)).catch(() => undefined);
    return observed;
  } catch (error) {
    if (error instanceof OutOfTime) return error;
    if (error instanceof PageFailure) return undefined;
    throw error;
  }
}

import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { PartName } from '@countersign/contracts/remotes';
import { bisectJourneys } from '../check/bisect-journeys.ts';
import { applyChange } from '../deploy/change.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Versions } from '../store/versions.ts';
import type { Run } from './command-context.ts';
import { printProgressWhenSlow } from './print.ts';

/** Names the versions that broke the live page. */
export const bisect: Run<'bisect'> = async ({ journey }, { store, config: { browser } }) => {
  const live = await store.live.require();
  const { followed, bisections } = await printProgressWhenSlow('opening sets of versions', () =>
    bisectLive(store, live, browser, (_part, name) => journey === undefined || name === journey),
  );
  if (followed === 0)
    throw new ReleaseError(`No part of the live page has such a journey. Their journeys.ts name them.`);
  const sound = `${followed} journeys followed, none is broken`;
  return {
    json: bisections,
    lines: bisections.length > 0 ? bisections.map(({ text }) => text) : sound,
    hasFailed: bisections.length > 0,
  };
};

/** Names the versions that broke journeys of the live page. */
export function bisectLive(
  store: ReleaseStore,
  live: LiveState,
  browser: BrowserLocation,
  isAsked: (part: PartName, journey: string) => boolean,
): ReturnType<typeof bisectJourneys> {
  const contentOf = (versions: Versions) => applyChange(store, undefined, { kind: 'promote', versions });
  return bisectJourneys(store, live, browser, contentOf, isAsked);
}

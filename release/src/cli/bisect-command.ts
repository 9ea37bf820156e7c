import { bisectJourneys } from '../check/bisect-journeys.ts';
import { contentOf } from '../deploy/change.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { Run } from './command-context.ts';
import { printProgressWhenSlow } from './print.ts';

/** Names the versions that broke the live page. */
export const bisect: Run<'bisect'> = async ({ journey }, { store, config: { browser } }) => {
  const live = await store.live.require();
  const { followed, bisections } = await printProgressWhenSlow('opening sets of versions', () =>
    bisectJourneys(
      store,
      live,
      browser,
      (_part, name) => journey === undefined || name === journey,
      contentOf,
    ),
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

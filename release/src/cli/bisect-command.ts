import { bisectJourneys, brokenJourneysOf } from '../check/bisect-journeys.ts';
import type { Run } from './command-context.ts';
import { printProgress } from './print.ts';

/** Names the versions that broke the live page. */
export const bisect: Run<'bisect'> = async ({ journey }, { store, config: { browser } }) => {
  const live = await store.requireLive();
  printProgress('following the journeys of the live release …');
  const broken = await brokenJourneysOf(store, live, browser, journey);
  if (broken.length > 0) printProgress('opening earlier sets of versions …');
  const found = broken.length > 0 ? await bisectJourneys(store, live, browser, broken) : [];
  return {
    json: found,
    lines: found.length > 0 ? found.map(({ text }) => text) : ['No journey that was followed is broken.'],
    hasFailed: found.length > 0,
  };
};

import type { Visit } from '../browser/visit-page.ts';
import { newSightings, type LiveVisit, type PageRule, type Problem } from './page-rule.ts';

/** Browsers refuse nothing of the page, and nothing leads out of it. */
export const nothingRefused: PageRule = {
  name: 'nothing refused',
  visitors: ['desktop', 'phone', 'translated'],
  see: (visit, _subject, live) => newTexts(visit, live, ({ refused }) => refused),
};

/** No error is thrown or logged. */
export const noErrors: PageRule = {
  name: 'no errors',
  visitors: ['desktop', 'phone', 'translated'],
  see: (visit, _subject, live) =>
    newTexts(visit, live, ({ errors }) => errors.map((error) => `causes an error: ${error}`)),
};

/** Versions and hashes of files are letters and digits. */
const withoutVersions = (text: string) =>
  text.replaceAll(/\b(mf-[a-z-]+|shell)[@/][^\s/:]+/g, '$1').replaceAll(/\.[0-9a-f]{10,16}\.|\d+/g, '');

async function newTexts(
  visit: Visit,
  live: LiveVisit,
  textsOf: (visit: Visit) => readonly string[],
): Promise<readonly Problem[]> {
  // The same error has another address in another version.
  const look = (seen: Visit) => textsOf(seen).map((text) => ({ key: withoutVersions(text), text }));
  const sightings = await newSightings(visit, live, look);
  return sightings.map(({ text }) => {
    const remote = /\b(mf-[a-z-]+)[@/]/.exec(text)?.[1];
    return { text, ...(remote !== undefined && { remote }) };
  });
}

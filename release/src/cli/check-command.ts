import { liveVersionOf, type PartVersion } from '@countersign/contracts/release-versions';
import { checkRelease } from '../check/check-release.ts';
import { describePictures, describeSecondAttempt } from '../check/describe-results.ts';
import type { PictureComparison } from '../store/stored-pictures.ts';
import { partsOf } from '../deploy/change.ts';
import { describeFreezes } from '../deploy/freeze.ts';
import { nextRelease } from '../deploy/next-release.ts';
import { nameVersions } from '../store/versions.ts';
import { summarizeList } from '../platform/summarize-list.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { createCandidate, type Run } from './command-context.ts';
import { printProgressWhenSlow, versionsAsJson } from './print.ts';

export const check: Run<'check'> = async ({ versions }, context) => {
  const { config, store } = context;
  const name = nameVersions(versions);
  const change = { kind: 'promote', versions } as const;
  const parts = partsOf(change);
  const liveState = await store.liveStore.read();
  const changed = parts.find((each) => liveVersionOf(each, liveState?.release) !== versions[each]);
  // The pictures of several are stored with the first that changes.
  const part = changed ?? parts[0] ?? 'shell';
  const named = { part, version: versions[part] ?? '' };
  const siteConfig = config.resolveSiteConfig(liveState?.siteConfig);
  const { release: next } = await nextRelease(store, liveState, change, siteConfig);
  const candidate = createCandidate(context, next, liveState, siteConfig);
  const startedAt = new Date().toISOString();
  // Also stores pictures of the version and of the live one, which are read below.
  const { violations, undecided, secondAttempts } = await printProgressWhenSlow(
    'opening the page in a browser',
    () => checkRelease(candidate, { skipsPage: false, reuse: 'none' }),
  );
  const messages = violations.map(({ message }) => message);
  const count = messages.length === 1 ? '1 violation' : `${messages.length} violations`;
  const frozen = describeFreezes(liveState, parts);
  const later = frozen.length > 0 ? ' after that' : '';
  const sound = changed ? `can be promoted${later}` : 'is live already';
  const result = messages.length === 0 ? sound : `cannot be promoted: ${count}`;
  const stored = await store.pictures.read(named);
  // With violations, those of an earlier check may still be there.
  const pictures = stored && stored.takenAt >= startedAt ? stored : undefined;
  const hasOtherLive = changed && liveVersionOf(changed, liveState?.release) !== undefined;
  return {
    json: { ...versionsAsJson(versions), violations, secondAttempts, pictures },
    lines: [
      ...messages,
      ...undecided,
      ...secondAttempts.map(describeSecondAttempt),
      ...(pictures ? pictureLines(store, named, pictures) : []),
      // With violations the page may not have opened.
      ...(!pictures && hasOtherLive && messages.length === 0
        ? [`${part} ${named.version} ${noPictures}`]
        : []),
      ...frozen,
      `${name} ${result}`,
    ],
    hasFailed: messages.length > 0,
  };
};

/** End of a sentence that begins with part and version, for a version without stored pictures. */
const noPictures =
  'was not compared with the live version by pictures, because they took too long or could not be stored, or the live page could not be opened. Check it again on a quieter machine, or look at it yourself.';

/** How the version looks beside the live one, and where the pictures are. */
function pictureLines(
  store: ReleaseStore,
  named: PartVersion,
  pictures: PictureComparison,
): readonly string[] {
  const found = `${named.part} ${named.version} ${describePictures(pictures)}`;
  if (pictures.changed.length === 0) return [found];
  return [`${found}: ${summarizeList(pictures.changed)}`, `pictures: ${store.pictures.locationOf(named)}`];
}

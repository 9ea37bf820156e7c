import { partNames } from '@countersign/contracts/remotes';
import { stateOf, versionsIn } from '@countersign/contracts/release-versions';
import { describeSecondAttempts } from '../check/describe-results.ts';
import { describeEntry, nameCanary } from '../deploy/describe-change.ts';
import { describeFreezes } from '../deploy/freeze.ts';
import { verifyLive } from '../deploy/verify-live.ts';
import type { HistoryEntry } from '../store/stored-documents.ts';
import { withLiveOnly } from '../store/versions.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { unlessDamaged } from '../store/stored-json.ts';
import type { Run } from './command-context.ts';
import { table } from './print.ts';

export const status: Run<'status'> = async ({ verify = false, site = false }, { store }) => {
  const verified = verify ? await verifyLive(store) : undefined;
  const liveState = verified?.liveState ?? (await store.liveStore.require());
  const { release, historyEntry } = liveState;
  const commits = await readCommits(liveState, store);
  const secondAttempts = await store.secondAttempts.read();
  const errors = [...(verified?.errors ?? []), ...(site ? await findSiteErrors(liveState) : [])];
  const rows = partNames.flatMap((part) => {
    const { live: liveVersion, previous = '-', canary } = stateOf(part, release) ?? {};
    if (liveVersion === undefined) return [];
    return [[part, liveVersion, previous, canary ? nameCanary(canary) : '-']];
  });
  return {
    json: {
      release,
      entry: historyEntry,
      freezes: liveState.freezes,
      files: verified?.files,
      errors,
      commits,
      secondAttempts,
    },
    lines: [
      `release ${release.releaseId}, last change ${historyEntry.at} by ${historyEntry.who}`,
      ...table(['part', 'live', 'previous', 'canary'], rows),
      ...describeFreezes(liveState),
      ...secondAttempts.map((counted) => `second attempts: ${describeSecondAttempts(counted)}`),
      ...(verified ? [`${verified.files} files verified, ${verified.errors.length} errors`] : []),
      ...errors,
    ],
    hasFailed: errors.length > 0,
  };
};

/** Part → the commit that its live version was built from, unless the build was in no Git repository. */
async function readCommits({ release }: LiveState, store: ReleaseStore) {
  const commits = versionsIn(withLiveOnly(release)).map(
    async ({ part, version }) =>
      [part, (await unlessDamaged(store.versionRecord(part, version)))?.commit] as const,
  );
  return Object.fromEntries(await Promise.all(commits));
}

/** An error message if the site does not show the live release. Its servers keep the one before if they cannot copy all files. */
async function findSiteErrors({ release, siteConfig }: LiveState): Promise<readonly string[]> {
  const { siteOrigin } = siteConfig;
  try {
    const answer = await fetch(siteOrigin, { signal: AbortSignal.timeout(10_000) });
    if ((await answer.text()).includes(release.releaseId)) return [];
    return [
      `${siteOrigin} does not show release ${release.releaseId}, which is live. Read the log of its site server, which names what it could not copy.`,
    ];
  } catch (error) {
    return [`${siteOrigin} does not answer (${String(error)}). Check its servers and SITE_ORIGIN.`];
  }
}

/** Changes in the table of `history`, unless an option says more. */
const shownChanges = 20;

export const history: Run<'history'> = async (
  { json = false, most = json ? Infinity : shownChanges },
  { store },
) => {
  const liveState = await store.liveStore.read();
  const entries = liveState ? (await store.liveStore.recentHistory(liveState, most)).toReversed() : [];
  const rows = entries.map((entry) => [
    String(entry.sequence),
    entry.at.slice(0, 19).replace('T', ' '),
    entry.who,
    describeEntry(entry),
    entry.releaseId,
    describeReason(entry),
  ]);
  return { json: entries, lines: table(['', 'when', 'who', 'what', 'release', 'why'], rows) };
};

/** Why a change was made, in spite of what. What `--looks-changed` accepts needs no reason. */
function describeReason({ forced: [first] = [], why }: HistoryEntry): string {
  const overridden = first === undefined ? [] : [`in spite of: ${first}`];
  return [why ?? [], overridden].flat().join('; ');
}

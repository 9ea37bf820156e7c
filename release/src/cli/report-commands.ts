import { referencedVersions, releasedVersions } from '@countersign/contracts/release-versions';
import { partNames } from '@countersign/contracts/remotes';
import { Option } from 'commander';
import { pruneStore } from '../deploy/prune-store.ts';
import { describeFreezes } from '../deploy/freeze.ts';
import { verifyLive } from '../deploy/verify-live.ts';
import type { HistoryEntry } from '../store/history.ts';
import { describeAttempts } from '../store/second-attempts.ts';
import { withLiveOnly } from '../store/referenced-versions.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import { printProgressWhenSlow, table, type OutputOptions } from './print.ts';
import { numberOption, type ReleaseCommand } from './release-command.ts';

/** Options of `history` (`most`), of `prune` (`dryRun`, `yes`), and of `status`. */
interface ReportOptions extends OutputOptions {
  readonly most?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly verify?: boolean;
  readonly site?: boolean;
}

/** Changes in the table of `history`, unless an option says more. */
const shownChanges = 20;

/** The commands that report on the store, and `prune`, which removes old versions from it. */
export const reportCommands: readonly ReleaseCommand<ReportOptions>[] = [
  {
    usage: 'status',
    runsOnServer: true,
    description: 'show the live versions',
    options: [
      new Option(
        '--verify',
        'compare every file of the live release with its published hash, and what visitors get with its pages',
      ),
      new Option('--site', 'ask the site which release it shows'),
    ],
    async run({ options: { verify = false, site = false }, store }) {
      const verified = verify ? await verifyLive(store) : undefined;
      const live = verified?.live ?? (await store.requireLive());
      const { release, entry } = live;
      const commits = await commitsOf(live, store);
      const secondAttempts = await store.secondAttempts.read();
      const errors = [...(verified?.errors ?? []), ...(site ? await errorsOfSite(live) : [])];
      const rows = partNames.flatMap((part) => {
        const { live: current, previous = '-', canary } = releasedVersions(part, release) ?? {};
        if (current === undefined) return [];
        return [[part, current, previous, canary ? `${canary.version} for ${canary.percent} %` : '-']];
      });
      return {
        json: {
          release,
          entry,
          freezes: live.freezes,
          files: verified?.files,
          errors,
          commits,
          secondAttempts,
        },
        lines: [
          `release ${release.releaseId}, last change ${entry.at} by ${entry.who}`,
          ...table(['part', 'live', 'previous', 'canary'], rows),
          ...describeFreezes(live),
          ...secondAttempts.map((counted) => `second attempts: ${describeAttempts(counted)}`),
          ...(verified ? [`${verified.files} files verified, ${verified.errors.length} errors`] : []),
          ...errors,
        ],
        hasFailed: errors.length > 0,
      };
    },
  },

  {
    usage: 'history',
    runsOnServer: true,
    description: 'show the changes of the page',
    options: [
      numberOption(
        '--most <number>',
        `number of changes to show (default: ${shownChanges}; with --json, all)`,
        'a number from 1',
        (most) => Number.isInteger(most) && most > 0,
      ),
    ],
    async run({ options: { json = false, most = json ? Infinity : shownChanges }, store }) {
      const live = await store.readLive();
      const entries = live ? (await store.recentHistory(live, most)).toReversed() : [];
      const rows = entries.map((entry) => [
        String(entry.sequence),
        entry.at.slice(0, 19).replace('T', ' '),
        entry.who,
        entry.action,
        entry.part ?? '',
        describeVersions(entry),
        entry.releaseId,
        entry.forced ? `forced: ${entry.why ?? ''}` : (entry.why ?? ''),
      ]);
      const lines = table(['', 'when', 'who', 'what', 'part', 'versions', 'release', 'why'], rows);
      return { json: entries, lines };
    },
  },

  {
    usage: 'prune',
    updatesBoard: true,
    neededRight: 'release',
    runsOnServer: true,
    description: 'remove versions older than 30 days that none of the last 20 releases names',
    options: [
      new Option('--dry-run', 'only list them'),
      new Option('--yes', 'confirm that the clock is right and that much is to be removed'),
    ],
    async run({ options: { dryRun = false, yes: isConfirmed = false }, store, config }) {
      const author = { who: config.releaser };
      const { versions, releases, doubt } = await printProgressWhenSlow(
        'reading all versions and releases',
        () => pruneStore(store, { now: new Date(), remove: !dryRun, isConfirmed, author }),
      );
      return {
        json: { versions, releases, removed: !dryRun, doubt },
        lines: [
          ...versions.map(({ part, version }) => `${part} ${version}`),
          ...releases.map((releaseId) => `the pages of release ${releaseId}`),
          `${versions.length} versions and ${releases.length} releases ${dryRun ? 'could be removed' : 'removed'}`,
          ...(dryRun && doubt !== undefined ? [`Only with --yes: ${doubt}`] : []),
        ],
      };
    },
  },
];

/** Part → the commit that its live version was built from, unless the build was in no Git repository. */
async function commitsOf({ release }: LiveState, store: ReleaseStore) {
  const commits = referencedVersions(withLiveOnly(release)).map(
    async ({ part, version }) => [part, (await store.versionRecord(part, version))?.commit] as const,
  );
  return Object.fromEntries(await Promise.all(commits));
}

/** An error message if the site does not show the live release. Its servers keep the one before if they cannot copy all files. */
async function errorsOfSite({ release, site }: LiveState): Promise<readonly string[]> {
  try {
    const answer = await fetch(site.siteOrigin, { signal: AbortSignal.timeout(10_000) });
    if ((await answer.text()).includes(release.releaseId)) return [];
    return [
      `${site.siteOrigin} does not show release ${release.releaseId}, which is live. Read the log of its site server, which names what it could not copy.`,
    ];
  } catch (error) {
    return [`${site.siteOrigin} does not answer (${String(error)}). Check its servers and SITE_ORIGIN.`];
  }
}

/** `1.0.0 → 1.1.0`, or what else the entry says of its versions. */
function describeVersions({ from, to, action }: HistoryEntry): string {
  if (action === 'remove') return `${from ?? ''} removed`;
  return from === undefined ? (to ?? '') : `${from} → ${to ?? ''}`;
}

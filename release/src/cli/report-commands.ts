import type { Command } from 'commander';
import { pruneStore } from '../prune-store.ts';
import { ReleaseFault, UsageFault } from '../release-fault.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import { verifyStore } from '../verify-store.ts';
import type { CommandContext } from './command-context.ts';
import { note, print, table, type PrintOptions } from './print.ts';
import { sayWhenSlow } from './say-when-slow.ts';

/** The commands that say what is there. */
export function addReportCommands(program: Command, open: () => CommandContext): void {
  program
    .command('status')
    .description('what is live')
    .option('--json', 'print it as JSON')
    .action(async (options: PrintOptions) => {
      const live = await open().store.readLive();
      if (!live) {
        throw new ReleaseFault('Nothing is live yet. Run npm start, or publish and promote every part.');
      }
      const { release, entry, withdrawn } = live;
      const rows = Object.entries(release.remotes).map(([name, { live: current, previous, canary }]) => [
        name,
        current.version,
        previous?.version ?? '-',
        canary ? `${canary.version.version} for ${canary.percent} %` : '-',
      ]);
      print(options, { release, entry, withdrawn }, [
        `release ${release.releaseId}, since ${entry.at} by ${entry.who}`,
        ...table(['part', 'live', 'before', 'canary'], [['shell', release.shell.version, '-', '-'], ...rows]),
        ...withdrawn.map(
          ({ part, version, at, who, why }) =>
            `withdrawn: ${part} ${version}, on ${at.slice(0, 10)} by ${who}${why === undefined ? '' : `: ${why}`}`,
        ),
      ]);
    });

  program
    .command('history')
    .description('who changed what, when and why')
    .option('--most <number>', 'how many of the latest changes', '20')
    .option('--json', 'print all as JSON')
    .action(async (options: PrintOptions & { most: string }) => {
      const most = mostFrom(options.most);
      const entries = await open().store.history();
      const rows = entries
        .slice(-most)
        .map((entry) => [
          String(entry.sequence),
          entry.at.slice(0, 19).replace('T', ' '),
          entry.who,
          entry.action,
          entry.part ?? '',
          versionsOf(entry),
          entry.releaseId,
          entry.forced ? `forced: ${entry.why ?? ''}` : (entry.why ?? ''),
        ]);
      print(options, entries, table(['', 'when', 'who', 'what', 'part', 'versions', 'release', 'why'], rows));
    });

  program
    .command('verify')
    .description('hash all versions and pages that visitors can get again, and check the log')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: PrintOptions) => {
      const outcome = await verifyStore(open().store, (part, version) =>
        note(`verifying ${part} ${version} …`),
      );
      const { files, releases, shortHashes, entries, faults } = outcome;
      note(`verified the pages of ${releases} releases`);
      print(options, outcome, [
        ...faults,
        ...(shortHashes > 0
          ? [
              `${shortHashes} releases: only the first 12 digits of their hash could be compared, because the log has no more.`,
            ]
          : []),
        `${files} files and ${entries} log entries: ${faults.length === 0 ? 'all as published' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`}`,
      ]);
      if (faults.length > 0) process.exitCode = 1;
    });

  program
    .command('prune')
    .description(
      'remove what nothing needs: neither live nor before, not named by the last 20 releases, older than 30 days; and what was left half written',
    )
    .option('--dry-run', 'only say what')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: PrintOptions & { dryRun?: boolean }) => {
      const remove = options.dryRun !== true;
      const { versions, releases, leftovers } = await sayWhenSlow(
        'looking at every version and release',
        () => pruneStore(open().store, { now: new Date(), remove }),
      );
      print(options, { versions, releases, leftovers, removed: remove }, [
        ...versions.map(({ part, version, publishedAt }) => `${part} ${version}, published ${publishedAt}`),
        ...releases.map((releaseId) => `the pages of release ${releaseId}`),
        ...leftovers.map((key) => `${key}, half written`),
        `${versions.length} versions and ${releases.length} releases ${remove ? 'removed' : 'could be removed'}`,
      ]);
    });
}

function versionsOf({ from, to = '', withdrawn = [], reinstated }: AuditEntry): string {
  return [
    from === undefined ? to : `${from} → ${to}`,
    ...withdrawn.map((version) => `${version} withdrawn`),
    ...(reinstated === undefined ? [] : [`${reinstated} reinstated`]),
  ].join('; ');
}

function mostFrom(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageFault(`--most must be a number from 1, but is "${text}".`);
  return Number(text);
}

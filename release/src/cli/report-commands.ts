import type { Command } from 'commander';
import { verifyStore } from '../deploy/verify-store.ts';
import { ReleaseError, UsageError } from '../platform/release-error.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import { pruneStore } from '../store/prune-store.ts';
import type { CommandContext } from './command-context.ts';
import { print, type PrintOptions, printProgress, printProgressWhenSlow, table } from './print.ts';

/** The commands that report on the store, and `prune`. */
export function addReportCommands(program: Command, open: () => CommandContext): void {
  addStatusCommand(program, open);
  addHistoryCommand(program, open);
  addVerifyCommand(program, open);
  addPruneCommand(program, open);
}

function addStatusCommand(program: Command, open: () => CommandContext): void {
  program
    .command('status')
    .description('show the live versions')
    .option('--json', 'print it as JSON')
    .action(async (options: PrintOptions) => {
      const live = await open().store.readLive();
      if (!live) {
        throw new ReleaseError('Nothing is live yet. Run npm start, or publish and promote every part.');
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
}

function addHistoryCommand(program: Command, open: () => CommandContext): void {
  program
    .command('history')
    .description('show the log of changes')
    .option('--most <number>', 'number of changes to show', '20')
    .option('--json', 'print all as JSON')
    .action(async (options: PrintOptions & { most: string }) => {
      const most = parseMax(options.most);
      const entries = await open().store.history();
      const rows = entries
        .slice(-most)
        .map((entry) => [
          String(entry.sequence),
          entry.at.slice(0, 19).replace('T', ' '),
          entry.who,
          entry.action,
          entry.part ?? '',
          describeVersions(entry),
          entry.releaseId,
          entry.forced ? `forced: ${entry.why ?? ''}` : (entry.why ?? ''),
        ]);
      print(options, entries, table(['', 'when', 'who', 'what', 'part', 'versions', 'release', 'why'], rows));
    });
}

function addVerifyCommand(program: Command, open: () => CommandContext): void {
  program
    .command('verify')
    .description('compare all versions and pages with their hashes, and check the log')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: PrintOptions) => {
      const outcome = await verifyStore(open().store, (part, version) =>
        printProgress(`verifying ${part} ${version} …`),
      );
      const { files, releases, shortHashes, entries, errors } = outcome;
      printProgress(`verified the pages of ${releases} releases`);
      // Keeps the key "faults" of the JSON output, because scripts read it.
      const { errors: faults, ...counts } = outcome;
      print(options, { ...counts, faults }, [
        ...errors,
        ...(shortHashes > 0
          ? [
              `${shortHashes} releases: only the first 12 digits of their hash could be compared, because the log has no more.`,
            ]
          : []),
        `${files} files and ${entries} log entries: ${errors.length === 0 ? 'all as published' : `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`}`,
      ]);
      if (errors.length > 0) process.exitCode = 1;
    });
}

function addPruneCommand(program: Command, open: () => CommandContext): void {
  program
    .command('prune')
    .description(
      'remove versions older than 30 days that neither the live page nor the last 20 releases refer to, and partial writes',
    )
    .option('--dry-run', 'only list them')
    .option('--clock-is-right', 'remove although nothing has changed for a week, or the clocks differ')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: PrintOptions & { dryRun?: boolean; clockIsRight?: boolean }) => {
      const remove = options.dryRun !== true;
      const { versions, releases, leftovers } = await printProgressWhenSlow(
        'reading all versions and releases',
        () => pruneStore(open().store, { now: new Date(), remove, clockIsRight: options.clockIsRight }),
      );
      print(options, { versions, releases, leftovers, removed: remove }, [
        ...versions.map(
          ({ part, version, publishedAt }) =>
            `${part} ${version}, ${publishedAt === undefined ? 'whose removal was interrupted' : `published ${publishedAt}`}`,
        ),
        ...releases.map((releaseId) => `the pages of release ${releaseId}`),
        ...leftovers.map((key) => `${key}, half written`),
        `${versions.length} versions and ${releases.length} releases ${remove ? 'removed' : 'could be removed'}`,
      ]);
    });
}

function describeVersions({ from, to = '', withdrawn = [], reinstated }: AuditEntry): string {
  return [
    from === undefined ? to : `${from} → ${to}`,
    ...withdrawn.map((version) => `${version} withdrawn`),
    ...(reinstated === undefined ? [] : [`${reinstated} reinstated`]),
  ].join('; ');
}

function parseMax(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--most must be a number from 1, but is "${text}".`);
  return Number(text);
}

import { Option } from 'commander';
import { SeenHeads } from '../deploy/seen-heads.ts';
import { verifyStore } from '../deploy/verify-store.ts';
import type { ReleaseConfig } from '../config.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { originText, type AuditEntry } from '../store/audit-entry.ts';
import { pruneStore } from '../store/prune-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { numberOption } from './number-option.ts';
import { printProgress, printProgressWhenSlow, table } from './print.ts';
import type { ReleaseCommand } from './release-command.ts';

interface ReportOptions {
  readonly most?: number;
  readonly headAge?: number;
  readonly dryRun?: boolean;
  readonly clockIsRight?: boolean;
}

/** The commands that report on the store, and `prune`. */
export const reportCommands: readonly ReleaseCommand<ReportOptions>[] = [
  {
    usage: 'status',
    isRemote: () => true,
    description: 'show the live versions',
    async run({ open }) {
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
      return {
        json: { release, entry, withdrawn },
        lines: [
          `release ${release.releaseId}, since ${entry.at} by ${entry.who}`,
          ...table(
            ['part', 'live', 'before', 'canary'],
            [['shell', release.shell.version, '-', '-'], ...rows],
          ),
          ...withdrawn.map(
            ({ part, version, at, who, why }) =>
              `withdrawn: ${part} ${version}, on ${at.slice(0, 10)} by ${who}${why === undefined ? '' : `: ${why}`}`,
          ),
        ],
      };
    },
  },

  {
    usage: 'history',
    isRemote: () => true,
    description: 'show the log of changes',
    options: [
      numberOption(
        '--most <number>',
        'number of changes to show',
        'a number from 1',
        (most) => Number.isInteger(most) && most > 0,
      ).default(20),
    ],
    async run({ options: { most = 20 }, open }) {
      const entries = await open().store.history();
      const rows = entries
        .slice(-most)
        .map((entry) => [
          String(entry.sequence),
          entry.at.slice(0, 19).replace('T', ' '),
          whoText(entry),
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
    usage: 'verify',
    isRemote: () => true,
    description: 'compare all versions and pages with their hashes, and check the log',
    options: [
      numberOption(
        '--head-age <minutes>',
        'age from which the signed head of the log is too old (default: 60)',
        'a number above 0',
        (minutes) => minutes > 0,
      ),
    ],
    async run({ options: { headAge }, open }) {
      const { store, config } = open();
      if (headAge !== undefined && config.logPublicKeys.length === 0) {
        throw new ReleaseError('LOG_PUBLIC_KEYS is missing, so no head of the log can be verified. Set it.');
      }
      const outcome = await verifyStore(store, (part, version) =>
        printProgress(`verifying ${part} ${version} …`),
      );
      const signed = await verifiedHead(store, config, headAge);
      const errors = [...outcome.errors, ...(signed?.errors ?? [])];
      const { files, releases, shortHashes, entries } = outcome;
      printProgress(`verified the pages of ${releases} releases`);
      const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
      return {
        // Keeps the key "faults", because scripts read it.
        json: { files, releases, shortHashes, entries, ...(signed && { head: signed.head }), faults: errors },
        lines: [
          ...errors,
          ...(shortHashes > 0
            ? [
                `${shortHashes} releases: only the first 12 digits of their hash could be compared, because the log has no more.`,
              ]
            : []),
          ...(signed?.head
            ? [`the signed head of the log is entry ${signed.head.sequence}, of ${signed.head.at}`]
            : []),
          `${files} files and ${entries} log entries: ${errors.length === 0 ? 'all as published' : count}`,
        ],
        hasFailed: errors.length > 0,
      };
    },
  },

  {
    usage: 'prune',
    needs: 'release',
    isRemote: () => true,
    description:
      'remove versions older than 30 days that neither the live page nor the last 20 releases refer to, and partial writes',
    options: [
      new Option('--dry-run', 'only list them'),
      new Option('--clock-is-right', 'remove although nothing has changed for a week, or the clocks differ'),
    ],
    async run({ options: { dryRun = false, clockIsRight }, open }) {
      const { versions, releases, leftovers } = await printProgressWhenSlow(
        'reading all versions and releases',
        () => pruneStore(open().store, { now: new Date(), remove: !dryRun, clockIsRight }),
      );
      return {
        json: { versions, releases, leftovers, removed: !dryRun },
        lines: [
          ...versions.map(
            ({ part, version, publishedAt }) =>
              `${part} ${version}, ${publishedAt === undefined ? 'whose removal was interrupted' : `published ${publishedAt}`}`,
          ),
          ...releases.map((releaseId) => `the pages of release ${releaseId}`),
          ...leftovers.map((key) => `${key}, half written`),
          `${versions.length} versions and ${releases.length} releases ${dryRun ? 'could be removed' : 'removed'}`,
        ],
      };
    },
  },
];

/** Verifies the head of the log, if there is a key for that. */
async function verifiedHead(store: ReleaseStore, config: ReleaseConfig, maxMinutes = 60) {
  const { logPublicKeys: publicKeys, seenHeadsFile } = config;
  if (publicKeys.length === 0) return undefined;
  // Imported on demand, as is the library for signatures.
  const { verifyHead } = await import('../deploy/verify-head.ts');
  const seen = new SeenHeads(seenHeadsFile);
  return verifyHead(store, { publicKeys, seen, maxAge: maxMinutes * 60_000, now: new Date() });
}

/** `pricing-ci from acme/pricing@0123456789` */
function whoText({ who, origin }: AuditEntry): string {
  const from = originText(origin);
  return from === undefined ? who : `${who} from ${from}`;
}

function describeVersions({ from, to = '', withdrawn = [], reinstated }: AuditEntry): string {
  return [
    from === undefined ? to : `${from} → ${to}`,
    ...withdrawn.map((version) => `${version} withdrawn`),
    ...(reinstated === undefined ? [] : [`${reinstated} reinstated`]),
  ].join('; ');
}

import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { releasedVersions } from '@countersign/contracts/release-versions';
import { remoteNames, type PartName } from '@countersign/contracts/remotes';
import { Option } from 'commander';
import * as z from 'zod/mini';
import { runPreDeployCheck } from '../check/check-release.ts';
import type { Change } from '../deploy/change.ts';
import { freeze } from '../deploy/freeze.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { errorMessage } from '../store/file-error.ts';
import { UsageError } from '../store/release-error.ts';
import { printProgress, printProgressWhenSlow } from './print.ts';
import { numberOption, parsePart, type CommandCall, type ReleaseCommand } from './release-command.ts';

interface ChangeOptions {
  readonly why?: string | undefined;
  /** Deploy in spite of violations. Requires a reason. */
  readonly force?: boolean | undefined;
  /** Accept what the rule `changed-looks` finds. */
  readonly looksChanged?: boolean;
  /** Mandatory for `canary`, which alone has it. */
  readonly percent?: number | undefined;
  /** ISO 8601, UTC. */
  readonly until?: string;
}

const why = new Option('--why <reason>', 'why, for the history');
const force = new Option(
  '--force',
  'deploy in spite of violations or a freeze; needs --why, and is recorded',
);
const looksChanged = new Option(
  '--looks-changed',
  'accept other texts of the head, another order, and blocks that are gone; recorded',
);

const anyChange = { updatesBoard: true, neededRight: 'release', runsOnServer: true } as const;

/** The commands that change the page. Each writes an entry to the history. */
export const changeCommands: readonly ReleaseCommand<ChangeOptions>[] = [
  {
    usage: 'promote <part> <version>',
    description: 'make a published version live for everybody',
    options: [why, force, looksChanged],
    ...anyChange,
    async run(call) {
      const [partName = '', version = ''] = call.args;
      const part = parsePart(partName);
      const { force } = call.options;
      const { releaseId } = await change(call, { kind: 'promote', versions: { [part]: version }, force });
      return {
        json: { releaseId, part, version },
        lines: `${part} ${version} is live in release ${releaseId}`,
      };
    },
  },

  {
    usage: 'canary <part> <version>',
    description: 'give a published version to a share of visitors',
    options: [
      why,
      force,
      looksChanged,
      numberOption(
        '--percent <number>',
        'share of visitors, from 0 to 100',
        'a number from 0 to 100',
        (percent) => percent <= 100,
      ).makeOptionMandatory(),
    ],
    ...anyChange,
    async run(call) {
      const [partName = '', version = ''] = call.args;
      const part = parsePart(partName);
      const { percent = 0, force } = call.options;
      const { releaseId } = await change(call, { kind: 'canary', part, version, percent, force });
      return {
        json: { releaseId, part, version, percent },
        lines: `${part} ${version} is live for ${percent} % of visitors in release ${releaseId}`,
      };
    },
  },

  {
    usage: 'rollback <part> [version]',
    description: 'end a canary, or go back to the version before or to a named one',
    options: [why],
    ...anyChange,
    async run(call) {
      const [partName = '', named] = call.args;
      const part = parsePart(partName);
      const before = await call.store.readLive();
      const release = await change(call, { kind: 'rollback', part, version: named });
      const { releaseId } = release;
      const version = releasedVersions(part, release)?.live;
      await lookAfterwards(call, part, before?.release);
      return {
        json: { releaseId, part, version },
        lines: `${part} ${version ?? ''} is live for everybody in release ${releaseId}`,
      };
    },
  },
  {
    usage: 'remove <part> <version>',
    description: 'remove a version that is not live, previous or canary, and every stored page that names it',
    options: [why],
    ...anyChange,
    async run(call) {
      const [partName = '', version = ''] = call.args;
      const part = parsePart(partName);
      const { releaseId } = await change(call, { kind: 'remove', part, version });
      return { json: { releaseId, part, version }, lines: `${part} ${version} is removed` };
    },
  },
  {
    usage: 'freeze [part]',
    description: 'refuse changes of a part, or of all, until a time; going back is always allowed',
    options: [
      new Option('--until <time>', 'when it ends, such as 2026-12-01T08:00Z')
        .argParser(parseTime)
        .makeOptionMandatory(),
      new Option('--why <reason>', 'why, for everybody who is refused').makeOptionMandatory(),
    ],
    ...anyChange,
    run: changeFreeze,
  },
  {
    usage: 'unfreeze [part]',
    description: 'end a freeze',
    options: [why],
    ...anyChange,
    run: changeFreeze,
  },
];

/** With a zone, because a release server may be in another one. `Date.parse` alone takes 31 November as 1 December. */
const timeWithZone = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

function parseTime(text: string): string {
  const time = Date.parse(timeWithZone.safeParse(text).data ?? '');
  if (time > Date.now()) return new Date(time).toISOString();
  throw new UsageError(
    `--until must be a time to come with its zone, such as 2026-12-01T08:00Z, but is "${text}".`,
  );
}

/** Freezes a part, or all, until a time; ends the freeze without one. */
async function changeFreeze({ args: [partName], options, store, config }: CommandCall<ChangeOptions>) {
  const part = partName === undefined ? undefined : parsePart(partName);
  const { until, why } = options;
  await freeze(store, part, until, { who: config.releaser, why });
  const state = until === undefined ? 'no longer frozen' : `frozen until ${until}`;
  return { json: { part, until }, lines: `${part ?? 'The page'} is ${state}` };
}

/**
 * Opens the page after a rollback of a part, which takes effect before, and says which promises it breaks. Not those of other parts that
 * were broken before.
 */
async function lookAfterwards(
  { store, config: { browser } }: CommandCall,
  part: PartName,
  before: ReleaseDocument | undefined,
): Promise<void> {
  const state = await store.readLive();
  if (!state?.site) return;
  const { release: next, site } = state;
  const remotes = remoteNames.flatMap((name) => {
    const version = next.remotes[name]?.live.version;
    return version !== undefined && [name, 'shell'].includes(part) ? [{ part: name, version }] : [];
  });
  const candidate = { store, next, live: before, site, browser };
  const broken = await printProgressWhenSlow('opening the page that is live now', async () =>
    (await import('../check/rendered-page.ts'))
      .renderedPage(candidate, remotes, { skipsOpened: true })
      .catch((error: unknown) => [`The page that is live now was not opened: ${errorMessage(error)}`]),
  );
  broken.forEach(printProgress);
}

/** Changes the page. Checks versions that visitors will get, except in a rollback, which must be fast. */
async function change(
  { options, config, store, resolveSiteConfig }: CommandCall<ChangeOptions>,
  wanted: Change,
): Promise<ReleaseDocument> {
  if (options.force && options.why === undefined) {
    throw new UsageError('--force needs a reason. Give it with --why "…".');
  }
  const author = { who: config.releaser, why: options.why };
  const isChecked = wanted.kind === 'promote' || wanted.kind === 'canary';
  return printProgressWhenSlow(`making the new page live in ${store.objects.displayName}`, () =>
    deployRelease(store, wanted, resolveSiteConfig, author, async (next, live, site) =>
      isChecked
        ? runPreDeployCheck({ store, next, live, site, browser: config.browser }, options, printProgress)
        : [],
    ),
  );
}

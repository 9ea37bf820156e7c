import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import type { Command } from 'commander';
import { runPreDeployCheck } from '../check/pre-deploy-check.ts';
import type { Change } from '../deploy/change.ts';
import { acceptRestored } from '../deploy/accept-restored.ts';
import { deployRelease, type Author } from '../deploy/deploy-release.ts';
import { errorMessage } from '../platform/file-error.ts';
import { printableLine } from '../platform/printable.ts';
import { IncompleteChange, UsageError } from '../platform/release-error.ts';
import type { CommandContext } from './command-context.ts';
import { assertOwner } from '../access/owners.ts';
import { parsePart, parseRemote } from './part-argument.ts';
import { print, type PrintOptions, printProgress, printProgressWhenSlow } from './print.ts';
import { updateBoard } from './update-board.ts';

interface ChangeOptions extends PrintOptions {
  readonly why?: string | undefined;
  /** Deploy in spite of violations. Requires a reason. */
  readonly force?: boolean | undefined;
}

/** The commands that change the page. Each checks the owners' file first and writes an entry to the log. */
export function addChangeCommands(program: Command, open: () => CommandContext): void {
  const command = (usage: string, description: string) =>
    program
      .command(usage)
      .description(description)
      .option('--why <reason>', 'why, for the log')
      .option('--json', 'print the outcome as JSON')
      .hook('postAction', () => updateBoard(open()));

  const forceable = (usage: string, description: string) =>
    command(usage, description).option(
      '--force',
      'deploy in spite of violations; needs --why, and is logged',
    );

  forceable('promote <part> <version>', 'make a published version live for everybody').action(
    async (word: string, version: string, options: ChangeOptions) => {
      const part = parsePart(word);
      const change: Change = { kind: 'promote', versions: { [part]: version } };
      const { releaseId } = await runChange(open(), part, change, options);
      print(options, { releaseId, part, version }, `${part} ${version} is live in release ${releaseId}`);
    },
  );

  forceable('canary <part> <version>', 'give a published version to a share of visitors')
    .requiredOption('--percent <number>', 'share of visitors, from 0 to 100')
    .action(async (word: string, version: string, options: ChangeOptions & { percent: string }) => {
      const part = parseRemote(word);
      const percent = parsePercent(options.percent);
      const { releaseId } = await runChange(
        open(),
        part,
        { kind: 'canary', part, version, percent },
        options,
      );
      print(
        options,
        { releaseId, part, version, percent },
        `${part} ${version} is live for ${percent} % of visitors in release ${releaseId}`,
      );
    });

  command('rollback <part> [version]', 'end a canary, or go back to the version before or to a named one')
    .option(
      '--withdraw',
      'also remove the withdrawn version from the store, so that no link can show it again',
    )
    .action(
      async (
        word: string,
        version: string | undefined,
        options: ChangeOptions & { withdraw?: boolean | undefined },
      ) => {
        const { withdraw } = options;
        const part = parsePart(word);
        const context = open();
        const change: Change = { kind: 'rollback', part, version, withdraw };
        const { releaseId, shell, remotes } = await runChange(context, part, change, options);
        const live = part === 'shell' ? shell.version : remotes[part]?.live.version;
        const withdrawn = withdraw ? await withdrawnVersionsOf(context, part) : [];
        print(options, { releaseId, part, version: live, ...(withdraw ? { withdrawn } : {}) }, [
          `${part} ${live ?? ''} is live for everybody in release ${releaseId}`,
          ...(withdraw ? [`withdrawn versions of ${part}: ${withdrawn.join(', ')}`] : []),
        ]);
      },
    );

  command(
    'withdraw <part> <version>',
    'remove a version that is not live, and every stored page that names it',
  ).action(async (word: string, version: string, options: ChangeOptions) => {
    const part = parsePart(word);
    const { releaseId } = await runChange(open(), part, { kind: 'withdraw', part, version }, options);
    print(options, { releaseId, part, version }, `${part} ${version} is withdrawn`);
  });

  command('reinstate <part> <version>', 'allow a withdrawn version again; needs --why').action(
    async (word: string, version: string, options: ChangeOptions) => {
      if (options.why === undefined)
        throw new UsageError('reinstate needs a reason. Give it with --why "…".');
      const part = parsePart(word);
      const { releaseId } = await runChange(open(), part, { kind: 'reinstate', part, version }, options);
      print(
        options,
        { releaseId, part, version },
        `${part} ${version} may be released again. Publish it first: its files were removed.`,
      );
    },
  );

  addAcceptCommand(command, open);
}

/** The command that accepts a store whose live state is older than its log. Only owners of the shell may run it. */
function addAcceptCommand(
  command: (usage: string, description: string) => Command,
  open: () => CommandContext,
): void {
  command(
    'accept-restored',
    'accept a live.json that is older than the log, such as one from a backup; needs --why',
  ).action(async (options: ChangeOptions) => {
    const { config, store } = open();
    if (options.why === undefined)
      throw new UsageError('accept-restored needs a reason. Give it with --why "…".');
    const author = await authorOf(config, 'shell', options);
    const { entry, withdrawnInPage } = await acceptRestored(store, author);
    const { sequence, releaseId } = entry;
    print(options, { releaseId, sequence, withdrawnInPage }, [
      `release ${releaseId} is accepted as entry ${sequence} of the log`,
      ...withdrawnInPage.map(
        ({ part, version, takeOff }) =>
          `${part} ${version} is withdrawn, but in this page. Take it off: ${takeOff}.`,
      ),
    ]);
  });
}

async function withdrawnVersionsOf({ store }: CommandContext, part: PartName): Promise<readonly string[]> {
  try {
    const withdrawn = (await store.readLive())?.withdrawn ?? [];
    return withdrawn.filter((known) => known.part === part).map(({ version }) => version);
  } catch (cause) {
    throw new IncompleteChange(
      `The versions are withdrawn, but could not be listed: ${errorMessage(cause)} Do not repeat the command. Run "status".`,
      { cause },
    );
  }
}

/** The releaser and the reason, for the log. Throws unless the releaser is an owner of the part. */
async function authorOf(
  config: CommandContext['config'],
  part: PartName,
  { why }: ChangeOptions,
): Promise<Author> {
  if (why !== undefined && why !== printableLine(why)) {
    throw new UsageError('--why must be one line of text without control characters.');
  }
  await assertOwner(config.ownersFile, part, config.releaser);
  return { who: config.releaser, ...(why === undefined ? {} : { why }) };
}

async function runChange(
  { config, store, resolveSiteConfig }: CommandContext,
  part: PartName,
  change: Change,
  options: ChangeOptions,
): Promise<ReleaseDocument> {
  const { why, force = false } = options;
  if (force && why === undefined) throw new UsageError('--force needs a reason. Give it with --why "…".');
  const author = await authorOf(config, part, options);
  const warnings = new Set<string>();
  const release = await printProgressWhenSlow(
    `making the new page live in ${store.objects.displayName}`,
    () =>
      deployRelease(
        store,
        change,
        resolveSiteConfig,
        author,
        async (next, live, site) =>
          // Only a new version needs the check, because a rollback must be fast.
          change.kind === 'promote' || change.kind === 'canary'
            ? runPreDeployCheck(store, next, live, { site, force, progress: () => undefined })
            : [],
        (message) => warnings.add(message),
      ),
  );
  for (const warning of warnings) printProgress(warning);
  return release;
}

function parsePercent(text: string): number {
  const percent = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(percent <= 100)) throw new UsageError(`--percent must be a number from 0 to 100, but is "${text}".`);
  return percent;
}

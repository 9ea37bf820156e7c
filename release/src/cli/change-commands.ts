import type { PartName } from '@countersign/contracts/remotes';
import type { Command } from 'commander';
import { runPreDeployCheck } from '../check/pre-deploy-check.ts';
import type { Change } from '../deploy/change.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { printableLine } from '../platform/printable.ts';
import { UsageError } from '../platform/release-error.ts';
import type { CommandContext } from './command-context.ts';
import { assertOwner } from '../deploy/owners.ts';
import { parsePart, parseRemote } from './part-argument.ts';
import { print, type PrintOptions, printProgressWhenSlow } from './print.ts';
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
      const change: Change = { action: 'promote', versions: { [part]: version } };
      const releaseId = await runChange(open(), part, change, options);
      print(options, { releaseId, part, version }, `${part} ${version} is live in release ${releaseId}`);
    },
  );

  forceable('canary <part> <version>', 'give a published version to a share of visitors')
    .requiredOption('--percent <number>', 'share of visitors, from 0 to 100')
    .action(async (word: string, version: string, options: ChangeOptions & { percent: string }) => {
      const part = parseRemote(word);
      const percent = parsePercent(options.percent);
      const releaseId = await runChange(open(), part, { action: 'canary', part, version, percent }, options);
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
        const releaseId = await runChange(
          context,
          part,
          { action: 'rollback', part, version, withdraw },
          options,
        );
        const now = (await context.store.readRelease(releaseId))?.release;
        const live = part === 'shell' ? now?.shell.version : now?.remotes[part]?.live.version;
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
    const releaseId = await runChange(open(), part, { action: 'withdraw', part, version }, options);
    print(options, { releaseId, part, version }, `${part} ${version} is withdrawn`);
  });

  command('reinstate <part> <version>', 'allow a withdrawn version again; needs --why').action(
    async (word: string, version: string, options: ChangeOptions) => {
      if (options.why === undefined)
        throw new UsageError('reinstate needs a reason. Give it with --why "…".');
      const part = parsePart(word);
      const releaseId = await runChange(open(), part, { action: 'reinstate', part, version }, options);
      print(
        options,
        { releaseId, part, version },
        `${part} ${version} may be released again. Publish it first: its files were removed.`,
      );
    },
  );
}

async function withdrawnVersionsOf({ store }: CommandContext, part: PartName): Promise<readonly string[]> {
  const withdrawn = (await store.readLive())?.withdrawn ?? [];
  return withdrawn.filter((known) => known.part === part).map(({ version }) => version);
}

async function runChange(
  { config, store, resolveSiteConfig }: CommandContext,
  part: PartName,
  change: Change,
  { why, force = false }: ChangeOptions,
): Promise<string> {
  if (force && why === undefined) throw new UsageError('--force needs a reason. Give it with --why "…".');
  if (why !== undefined && why !== printableLine(why)) {
    throw new UsageError('--why must be one line of text without control characters.');
  }
  await assertOwner(config.ownersFile, part, config.releaser);
  const author = { who: config.releaser, ...(why === undefined ? {} : { why }) };
  const { releaseId } = await printProgressWhenSlow(
    `making the new page live in ${store.objects.displayName}`,
    () =>
      deployRelease(store, change, resolveSiteConfig, author, async (next, live, site) =>
        // Only a new version needs the check, because a rollback must be fast.
        change.action === 'promote' || change.action === 'canary'
          ? runPreDeployCheck(store, next, live, { site, force, progress: () => undefined })
          : [],
      ),
  );
  return releaseId;
}

function parsePercent(text: string): number {
  const percent = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(percent <= 100)) throw new UsageError(`--percent must be a number from 0 to 100, but is "${text}".`);
  return percent;
}

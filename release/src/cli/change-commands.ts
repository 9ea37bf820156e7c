import type { PartName } from '@countersign/contracts/remotes';
import type { Command } from 'commander';
import { passGate } from '../check/gate.ts';
import type { Change } from '../flip/change.ts';
import { flipRelease } from '../flip/flip-release.ts';
import { assertOwner } from '../owners.ts';
import { printableLine } from '../printable.ts';
import { UsageFault } from '../release-fault.ts';
import type { CommandContext } from './command-context.ts';
import { partFrom, remoteFrom } from './part-argument.ts';
import { print, type PrintOptions } from './print.ts';
import { sayWhenSlow } from './say-when-slow.ts';

interface ChangeOptions extends PrintOptions {
  readonly why?: string | undefined;
  /** Release whatever the check has against it. Needs a reason. */
  readonly force?: boolean | undefined;
}

/** The commands that change what visitors get. Each asks the owners' file first and leaves an entry in the log. */
export function addChangeCommands(program: Command, open: () => CommandContext): void {
  const command = (usage: string, description: string) =>
    program
      .command(usage)
      .description(description)
      .option('--why <reason>', 'why, for the log')
      .option('--json', 'print the outcome as JSON');

  const forceable = (usage: string, description: string) =>
    command(usage, description).option(
      '--force',
      'whatever the check has against it; needs --why, is in the log',
    );

  forceable('promote <part> <version>', 'make a published version live for everybody').action(
    async (word: string, version: string, options: ChangeOptions) => {
      const part = partFrom(word);
      const change: Change = { action: 'promote', versions: { [part]: version } };
      const releaseId = await release(open(), part, change, options);
      print(options, { releaseId, part, version }, `${part} ${version} is live in release ${releaseId}`);
    },
  );

  forceable('canary <part> <version>', 'give a published version to a share of visitors')
    .requiredOption('--percent <number>', 'share of visitors, from 0 to 100')
    .action(async (word: string, version: string, options: ChangeOptions & { percent: string }) => {
      const part = remoteFrom(word);
      const percent = percentFrom(options.percent);
      const releaseId = await release(open(), part, { action: 'canary', part, version, percent }, options);
      print(
        options,
        { releaseId, part, version, percent },
        `${part} ${version} is live for ${percent} % of visitors in release ${releaseId}`,
      );
    });

  command('rollback <part> [version]', 'end a canary, or go back to the version before or to a named one')
    .option(
      '--withdraw',
      'remove what is taken off the page from the store too, so that no link can show it again',
    )
    .action(
      async (
        word: string,
        version: string | undefined,
        options: ChangeOptions & { withdraw?: boolean | undefined },
      ) => {
        const { withdraw } = options;
        const part = partFrom(word);
        const context = open();
        const releaseId = await release(
          context,
          part,
          { action: 'rollback', part, version, withdraw },
          options,
        );
        const now = (await context.store.readRelease(releaseId))?.release;
        const live = part === 'shell' ? now?.shell.version : now?.remotes[part]?.live.version;
        const withdrawn = withdraw ? await withdrawnOf(context, part) : [];
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
    const part = partFrom(word);
    const releaseId = await release(open(), part, { action: 'withdraw', part, version }, options);
    print(options, { releaseId, part, version }, `${part} ${version} is withdrawn`);
  });

  command('reinstate <part> <version>', 'allow a withdrawn version again; needs --why').action(
    async (word: string, version: string, options: ChangeOptions) => {
      if (options.why === undefined)
        throw new UsageFault('reinstate needs a reason. Give it with --why "…".');
      const part = partFrom(word);
      const releaseId = await release(open(), part, { action: 'reinstate', part, version }, options);
      print(
        options,
        { releaseId, part, version },
        `${part} ${version} may be released again. Publish it first: its files were removed.`,
      );
    },
  );
}

async function withdrawnOf({ store }: CommandContext, part: PartName): Promise<readonly string[]> {
  const withdrawn = (await store.readLive())?.withdrawn ?? [];
  return withdrawn.filter((known) => known.part === part).map(({ version }) => version);
}

async function release(
  { config, store, siteAfter }: CommandContext,
  part: PartName,
  change: Change,
  { why, force = false }: ChangeOptions,
): Promise<string> {
  if (force && why === undefined) throw new UsageFault('--force needs a reason. Give it with --why "…".');
  if (why !== undefined && why !== printableLine(why)) {
    throw new UsageFault('--why must be one line of text without control characters.');
  }
  await assertOwner(config.ownersFile, part, config.releaser);
  const author = { who: config.releaser, ...(why === undefined ? {} : { why }) };
  const { releaseId } = await sayWhenSlow(`making the new page live in ${store.objects.where}`, () =>
    flipRelease(store, change, siteAfter, author, async (next, live, site) =>
      // Only a new version needs the check. A rollback must not wait for it.
      change.action === 'promote' || change.action === 'canary'
        ? passGate(store, next, live, { site, force, progress: () => undefined })
        : [],
    ),
  );
  return releaseId;
}

function percentFrom(text: string): number {
  const percent = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(percent <= 100)) throw new UsageFault(`--percent must be a number from 0 to 100, but is "${text}".`);
  return percent;
}

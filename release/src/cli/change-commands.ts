import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import { Option, type Command } from 'commander';
import { runPreDeployCheck } from '../check/pre-deploy-check.ts';
import type { Change } from '../deploy/change.ts';
import { acceptRestored } from '../deploy/accept-restored.ts';
import { deployRelease, type Author } from '../deploy/deploy-release.ts';
import { liveVersion } from '../deploy/release-content.ts';
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
  readonly percent?: string | undefined;
  readonly withdraw?: boolean | undefined;
}

/** What a command prints. The fields follow the release ID, the part and the version in the JSON output. */
interface Report {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly lines: string | readonly string[];
}

interface ChangeCommand {
  readonly usage: string;
  readonly description: string;
  readonly option?: Option;
  /** Whether the pre-deploy check must pass, unless `--force` is given. A rollback has none, because it must be fast. */
  readonly isChecked?: boolean;
  readonly needsWhy?: boolean;
  /** Throws a {@link UsageError} for invalid arguments. */
  parse(word: string, version: string, options: ChangeOptions): Change;
  report(
    done: { part: PartName; version: string; release: ReleaseDocument },
    options: ChangeOptions,
    context: CommandContext,
  ): Report | Promise<Report>;
}

const changeCommands: readonly ChangeCommand[] = [
  {
    usage: 'promote <part> <version>',
    description: 'make a published version live for everybody',
    isChecked: true,
    parse: (word, version) => ({ kind: 'promote', versions: { [parsePart(word)]: version } }),
    report: ({ part, version, release }) => ({
      lines: `${part} ${version} is live in release ${release.releaseId}`,
    }),
  },
  {
    usage: 'canary <part> <version>',
    description: 'give a published version to a share of visitors',
    option: new Option('--percent <number>', 'share of visitors, from 0 to 100').makeOptionMandatory(),
    isChecked: true,
    parse: (word, version, { percent = '' }) => ({
      kind: 'canary',
      part: parseRemote(word),
      version,
      percent: parsePercent(percent),
    }),
    report({ part, version, release }, { percent = '' }) {
      const share = parsePercent(percent);
      return {
        fields: { percent: share },
        lines: `${part} ${version} is live for ${share} % of visitors in release ${release.releaseId}`,
      };
    },
  },
  {
    usage: 'rollback <part> [version]',
    description: 'end a canary, or go back to the version before or to a named one',
    option: new Option(
      '--withdraw',
      'also remove the withdrawn version from the store, so that no link can show it again',
    ),
    parse: (word, version, { withdraw }) => ({ kind: 'rollback', part: parsePart(word), version, withdraw }),
    async report({ part, release }, { withdraw }, context) {
      const version = liveVersion(part, release);
      const live = `${part} ${version ?? ''} is live for everybody in release ${release.releaseId}`;
      if (!withdraw) return { fields: { version }, lines: live };
      const withdrawn = await withdrawnVersionsOf(context, part);
      return {
        fields: { version, withdrawn },
        lines: [live, `withdrawn versions of ${part}: ${withdrawn.join(', ')}`],
      };
    },
  },
  {
    usage: 'withdraw <part> <version>',
    description: 'remove a version that is not live, and every stored page that names it',
    parse: (word, version) => ({ kind: 'withdraw', part: parsePart(word), version }),
    report: ({ part, version }) => ({ lines: `${part} ${version} is withdrawn` }),
  },
  {
    usage: 'reinstate <part> <version>',
    description: 'allow a withdrawn version again; needs --why',
    needsWhy: true,
    parse: (word, version) => ({ kind: 'reinstate', part: parsePart(word), version }),
    report: ({ part, version }) => ({
      lines: `${part} ${version} may be released again. Publish it first: its files were removed.`,
    }),
  },
];

/** The commands that change the page. Each checks the owners' file first and writes an entry to the log. */
export function addChangeCommands(program: Command, open: () => CommandContext): void {
  const add = (usage: string, description: string) =>
    program
      .command(usage)
      .description(description)
      .option('--why <reason>', 'why, for the log')
      .option('--json', 'print the outcome as JSON')
      .hook('postAction', () => updateBoard(open()));

  for (const command of changeCommands) {
    const { usage, description, option, isChecked } = command;
    const added = add(usage, description);
    if (isChecked) added.option('--force', 'deploy in spite of violations; needs --why, and is logged');
    if (option) added.addOption(option);
    added.action((word: string, version: string, options: ChangeOptions) =>
      runChangeCommand(command, open, { word, version, options }),
    );
  }
  addAcceptCommand(add, open);
}

async function runChangeCommand(
  { usage, isChecked = false, needsWhy = false, parse, report }: ChangeCommand,
  open: () => CommandContext,
  { word, version, options }: { word: string; version: string; options: ChangeOptions },
): Promise<void> {
  if (needsWhy) assertReason(usage, options);
  const change = parse(word, version, options);
  const part = parsePart(word);
  const context = open();
  const release = await runChange(context, part, change, options, isChecked);
  const { fields, lines } = await report({ part, version, release }, options, context);
  print(options, { releaseId: release.releaseId, part, version, ...fields }, lines);
}

function assertReason(usage: string, { why }: ChangeOptions): void {
  const [name] = usage.split(' ');
  if (why === undefined) throw new UsageError(`${name} needs a reason. Give it with --why "…".`);
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
    assertReason('accept-restored', options);
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
  isChecked: boolean,
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
          isChecked
            ? runPreDeployCheck(store, next, live, {
                site,
                browser: config.browser,
                force,
                progress: () => undefined,
              })
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

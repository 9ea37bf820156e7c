import { partNames } from '@countersign/contracts/remotes';
import { Command, type OutputConfiguration } from 'commander';
import { assertMayForce, assertOwner, readOwners, type Owners } from '../deploy/owners.ts';
import { readConfig } from '../config.ts';
import { runCommand } from './run-command.ts';
import { runUntilStopped } from '../server/stop-signal.ts';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { changeCommands } from './change-commands.ts';
import { parseArgs } from './parse-args.ts';
import { probeCommand } from './probe-command.ts';
import { jsonOption, print, printProgress, type OutputOptions } from './print.ts';
import { checkCommand, publishCommand } from './publish-commands.ts';
import { openContext, parsePart, type CommandContext, type ReleaseCommand } from './release-command.ts';
import { reportCommands } from './report-commands.ts';
import { watchCommand } from './watch-command.ts';

const serveCommand: ReleaseCommand = {
  usage: 'serve',
  description:
    'serve the live page on PORT (default 3000) and the release board on BOARD_PORT (default 3003), and proxy /api to the lead service on LEADS_PORT (default 3001)',
  async run({ config }) {
    // Imported on demand, because it takes longer to load than most commands take to run.
    const { serve } = await import('../server/serve.ts');
    await runUntilStopped((stopping, opened) => serve(config, stopping, opened));
    return undefined;
  },
};

/** All commands, in the order of the help. */
const commands: readonly ReleaseCommand[] = [
  publishCommand,
  checkCommand,
  ...changeCommands,
  ...reportCommands,
  watchCommand,
  probeCommand,
  serveCommand,
];

const helpText = `
Parts: ${partNames.join(', ')}

Exit codes: 0 success, 1 failure, 2 usage error, 3 the change is (or may be) committed, but not complete: do not repeat it,
75 the machine is too busy for the check, which changed nothing: repeat it later.`;

export interface ParsedCall {
  readonly command: ReleaseCommand;
  readonly args: readonly string[];
  readonly options: OutputOptions & { readonly force?: boolean };
}

/** Runs `npm run release -- <args>`, and sets the exit code. */
export function runProgram(args: readonly string[]): Promise<void> {
  return runCommand(() =>
    parseCommand(args, async (call) => {
      const config = readConfig();
      if (!config.remoteServer || !call.command.runsOnServer) return runCall(call, openContext(config));
      // Imported on demand, because it takes longer to load than most commands take to run.
      const { runRemotely } = await import('./run-remotely.ts');
      await runRemotely(config.remoteServer, args, builtDirectoryOf);
    }),
  );
}

/**
 * Gives `run` the call that arguments name, or writes help if they ask for it. Throws a `UsageError` if they are invalid.
 *
 * @param isServer whether the help is for clients of the release server
 */
export function parseCommand(
  args: readonly string[],
  run: (call: ParsedCall) => Promise<void> | void,
  isServer = false,
  output: OutputConfiguration = {},
): Promise<void> {
  const program = new Command(isServer ? 'release' : 'npm run release --')
    .description('Publishes built parts, deploys versions and rolls them back.')
    .addHelpText('after', helpText)
    .helpCommand('help [command]', 'show the usage of a command')
    .configureHelp({
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
    })
    // Silent, because `parseArgs` throws usage errors.
    .configureOutput({ outputError: () => undefined, ...output })
    .exitOverride();
  for (const command of commands) {
    const added = program
      .command(command.usage, { hidden: isServer && !command.runsOnServer })
      .description(command.description);
    for (const option of [...(command.options ?? []), jsonOption]) added.addOption(option);
    added.action(() => run({ command, args: added.args, options: added.opts() }));
  }
  return parseArgs(program, args.length > 0 ? args : ['help']);
}

/** Runs a call for which its releaser has the rights, prints its output, and writes the board if the page may have changed. */
export async function runCall(call: ParsedCall, context: CommandContext): Promise<void> {
  const { command, args, options } = call;
  const { ownersFile, releaser } = context.config;
  if (command.neededRight) assertAllowed(call, readOwners(ownersFile), releaser);
  const output = await command.run({ args, options, ...context });
  if (output) print(output, options);
  if (!command.updatesBoard) return;
  // Imported on demand, because the change must not wait for it.
  const { updateBoard } = await import('../server/write-board.ts');
  await updateBoard(context.store, ownersFile, printProgress);
}

/**
 * Throws a `ReleaseError` unless the owners give the releaser the rights that the call needs. A call without a part concerns the
 * whole page, which belongs to the owners of the shell.
 */
export function assertAllowed(
  { command, args, options }: ParsedCall,
  owners: Owners,
  releaser: string,
): void {
  if (!command.neededRight) return;
  const [partName] = /[<[]part/.test(command.usage) ? args : [];
  const part = partName === undefined ? 'shell' : parsePart(partName);
  assertOwner(owners, part, releaser, command.neededRight);
  if (options.force) assertMayForce(owners, releaser);
}

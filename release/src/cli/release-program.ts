import { assertAllowed, readOwners } from '../deploy/owners.ts';
import { readConfig } from './config.ts';
import { openContext, type CommandContext, type Run } from './command-context.ts';
import { commandOf, permissionOf, type CallOf, type CommandName } from './commands.ts';
import { parseCommand } from './parse-command.ts';
import { print } from './print.ts';
import { runMain } from './run-main.ts';

/** The function that runs each command. Imported on demand, because some take longer to load than most take to run. */
const imports: { readonly [Name in CommandName]: () => Promise<Run<Name>> } = {
  publish: async () => (await import('./store-commands.ts')).publish,
  check: async () => (await import('./check-command.ts')).check,
  promote: async () => (await import('./change-commands.ts')).promote,
  canary: async () => (await import('./change-commands.ts')).canary,
  rollback: async () => (await import('./change-commands.ts')).rollback,
  remove: async () => (await import('./store-commands.ts')).remove,
  freeze: async () => (await import('./store-commands.ts')).changeFreeze,
  unfreeze: async () => (await import('./store-commands.ts')).changeFreeze,
  status: async () => (await import('./status-commands.ts')).status,
  history: async () => (await import('./status-commands.ts')).history,
  prune: async () => (await import('./store-commands.ts')).prune,
  watch: async () => (await import('./watch-command.ts')).watch,
  bisect: async () => (await import('./journey-commands.ts')).bisect,
  probe: async () => (await import('./journey-commands.ts')).probe,
  serve: async () => (await import('./serve-command.ts')).serve,
};

/** Runs `npm run release -- <words>`, and sets the exit code. */
export function runProgram(words: readonly string[]): Promise<void> {
  return runMain(async () => {
    const call = parseCommand(words);
    if (!call) return;
    const config = readConfig();
    if (!config.remoteServer || !commandOf(call).runsOnServer) return runCall(call, openContext(config));
    const { runRemotely } = await import('./run-remotely.ts');
    const { buildFolderOf } = await import('./build-parts.ts');
    await runRemotely(config.remoteServer, words, call, buildFolderOf);
  });
}

/** Runs a call for which its releaser has the rights, and prints its output. */
export async function runCall<Name extends CommandName>(
  call: CallOf<Name>,
  context: CommandContext,
): Promise<void> {
  const permission = permissionOf(call);
  const { ownersFile, releaser } = context.config;
  if (permission) assertAllowed(readOwners(ownersFile), releaser, permission);
  const run = await imports[call.name]();
  const output = await run(call, context);
  if (output) print(output, call);
}

import { readConfig } from '../config.ts';
import { runCommand } from '../platform/run-command.ts';
import { stopSignal } from '../platform/stop-signal.ts';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { newToken } from '../release-server/identities-file.ts';
import { openContext } from './command-context.ts';
import { createCommandLine } from './command-line.ts';
import { parseWords } from './parse-words.ts';
import { print } from './print.ts';
import { runCall } from './run-call.ts';

/** Runs `npm run release -- <words>`, and sets the exit code. */
export function runProgram(words: readonly string[]): Promise<void> {
  return runCommand(() => parseWords(createProgram(words), words.length > 0 ? words : ['help']));
}

function createProgram(words: readonly string[]) {
  const program = createCommandLine(async (call) => {
    const config = readConfig();
    if (!config.remote) return runCall(call, () => openContext(config));
    // Imported on demand, as the servers below, because it takes longer to load than most commands take to run.
    const { runRemotely } = await import('./run-remotely.ts');
    await runRemotely(config.remote, words, builtDirectoryOf);
  });
  program
    .command('serve')
    .description(
      'serve the live page on PORT (default 3000) and the release board on BOARD_PORT (default 3003), and proxy /api to the lead service on LEADS_PORT (default 3001)',
    )
    .action(async () => {
      const config = readConfig();
      const { serve } = await import('../server/serve.ts');
      await serve(config, stopSignal());
    });
  program
    .command('server')
    .description('run these commands for releasers with a token, on RELEASE_PORT (default 3004)')
    .action(async () => {
      const config = readConfig();
      const { runServer } = await import('./run-server.ts');
      await runServer(config, stopSignal());
    });
  program
    .command('token <name>')
    .description('print a new token of a releaser, and its entry for IDENTITIES_FILE')
    .action((name: string) => {
      const { token, identity } = newToken(name);
      print({ json: { token, identity }, lines: [`token: ${token}`, JSON.stringify(identity)] }, {});
    });
  return program;
}

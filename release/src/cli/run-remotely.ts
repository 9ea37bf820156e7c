import { Command } from 'commander';
import { printable } from '../store/printable.ts';
import { readBuildFiles, readPartManifest } from '../publish/build-files.ts';
import { readCommit } from '../publish/read-commit.ts';
import type { RemoteServer } from '../release-server/client/access-token.ts';
import { callServer, type SentBuild } from '../release-server/client/call-server.ts';
import { parseArgs, publishUsage } from './parse-args.ts';
import { jsonOption, type OutputOptions } from './print.ts';

/**
 * Runs arguments on a release server. It reads and writes as if it ran here: progress on stderr, the result on stdout, the exit
 * code. A build of this machine is read here, and sent. The server parses all other arguments, and answers with help as well.
 *
 * @param folderOf the default folder of a part's build
 */
export async function runRemotely(
  server: RemoteServer,
  args: readonly string[],
  folderOf: (part: string) => string,
): Promise<void> {
  const { sent, build } = await readBuildOf(args, folderOf);
  const progress = (text: string) => process.stderr.write(printable(text));
  const { stdout, exitCode } = await callServer(server, sent, build, progress);
  process.stdout.write(printable(stdout));
  if (exitCode !== 0) process.exitCode = exitCode;
}

/** The build that arguments name, and the arguments without its folder. Throws a `UsageError`. */
async function readBuildOf(
  args: readonly string[],
  folderOf: (part: string) => string,
): Promise<{ readonly sent: readonly string[]; readonly build?: SentBuild }> {
  const asksForHelp = args.some((word) => word === '--help' || word === '-h');
  if (asksForHelp || args[0] !== 'publish') return { sent: args };
  const program = new Command().configureOutput({ outputError: () => undefined }).exitOverride();
  const publish = program.command(publishUsage).addOption(jsonOption);
  publish.action(() => undefined);
  await parseArgs(program, args);
  const [part = '', folder = folderOf(part)] = publish.args;
  const { json } = publish.opts<OutputOptions>();
  const files = await readBuildFiles(folder, await readPartManifest(folder));
  return {
    sent: ['publish', ...(json ? ['--json'] : []), '--', part],
    build: { files, commit: await readCommit(folder) },
  };
}

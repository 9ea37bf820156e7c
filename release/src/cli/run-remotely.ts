import { Command } from 'commander';
import { printable } from '../store/printable.ts';
import { readBuildFiles, readPartManifest } from '../publish/build-files.ts';
import { readCommit } from '../publish/read-commit.ts';
import type { RemoteServer } from '../release-server/client/access-token.ts';
import { callServer, type SentBuild } from '../release-server/client/call-server.ts';
import type { CallResult } from '../release-server/call-messages.ts';
import { checkUsage, parseWords, publishUsage } from './parse-words.ts';
import { jsonOption, type OutputOptions } from './print.ts';

/** A call that reads a build of this machine. */
interface BuildCall {
  readonly name: string;
  /** Part, and folder or version. */
  readonly words: readonly string[];
  readonly options: OutputOptions;
}

/**
 * Runs arguments on a release server. It reads and writes as if it ran here: progress on stderr, the result on stdout, the exit
 * code. Builds of this machine are read here, and sent. The server parses all other arguments, and answers with help as well.
 *
 * @param folderOf the default folder of a part's build
 */
export async function runRemotely(
  server: RemoteServer,
  words: readonly string[],
  folderOf: (part: string) => string,
): Promise<void> {
  const { stdout, exitCode } = await makeCall(server, words, folderOf);
  process.stdout.write(printable(stdout));
  if (exitCode !== 0) process.exitCode = exitCode;
}

async function makeCall(
  server: RemoteServer,
  given: readonly string[],
  folderOf: (part: string) => string,
): Promise<CallResult> {
  const call = await parseBuildCall(given);
  const [part = '', word] = call?.words ?? [];
  if (!call || (call.name === 'check' && word !== undefined)) return send(server, given);
  const json = call.options.json ? ['--json'] : [];
  if (call.name === 'publish') {
    const directory = word ?? folderOf(part);
    const words = ['publish', ...json, '--', part];
    return send(server, words, await readSentBuild(directory));
  }
  const build = await readSentBuild(folderOf(part));
  const published = await send(server, ['publish', '--', part], build);
  if (published.exitCode !== 0) return { ...published, stdout: '' };
  return send(server, ['check', ...json, '--', part, build.version]);
}

/** The call that arguments name, if it may need a build. Throws a `UsageError`. */
async function parseBuildCall(words: readonly string[]): Promise<BuildCall | undefined> {
  const asksForHelp = words.some((word) => word === '--help' || word === '-h');
  if (asksForHelp || (words[0] !== 'publish' && words[0] !== 'check')) return undefined;
  const calls: BuildCall[] = [];
  const program = new Command().configureOutput({ outputError: () => undefined }).exitOverride();
  for (const usage of [publishUsage, checkUsage]) {
    const added = program.command(usage).addOption(jsonOption);
    added.action(() => void calls.push({ name: added.name(), words: added.args, options: added.opts() }));
  }
  await parseWords(program, words);
  return calls[0];
}

/** Makes a call, and prints its progress. */
function send(server: RemoteServer, words: readonly string[], build?: SentBuild): Promise<CallResult> {
  return callServer(server, words, build, (text) => process.stderr.write(printable(text)));
}

/** Reads a build of this machine, with its commit. The server checks it. */
async function readSentBuild(directory: string): Promise<SentBuild & { readonly version: string }> {
  const manifest = await readPartManifest(directory);
  const files = await readBuildFiles(directory, manifest);
  return { version: manifest.version, files, commit: await readCommit(directory) };
}

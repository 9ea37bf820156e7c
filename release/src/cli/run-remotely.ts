import type { PartName } from '@countersign/contracts/remotes';
import { printable } from '../platform/printable.ts';
import { readBuildFiles, readPartManifest } from '../deploy/build-files.ts';
import { readCommit } from '../deploy/read-commit.ts';
import type { RemoteServer } from '../release-server/client/access-token.ts';
import { callServer, type SentBuild } from '../release-server/client/call-server.ts';
import type { CallOf } from './commands.ts';

/**
 * Runs a call on a release server. It reads and writes as if it ran here: progress on stderr, the result on stdout, the exit
 * code. A build of this machine is read here, and sent.
 *
 * @param words what was parsed as the call, which the server parses again
 * @param folderOf the default folder of a part's build
 */
export async function runRemotely(
  server: RemoteServer,
  words: readonly string[],
  call: CallOf,
  folderOf: (part: PartName) => string,
): Promise<void> {
  const { sent, build } =
    call.name === 'publish' ? await readBuildOf(call, folderOf) : { sent: words, build: undefined };
  const progress = (text: string) => process.stderr.write(printable(text));
  const { stdout, exitCode } = await callServer(server, sent, build, progress);
  process.stdout.write(printable(stdout));
  if (exitCode !== 0) process.exitCode = exitCode;
}

/** The build that a call names, and the words of the call without its folder. */
async function readBuildOf(
  { name, part, folder: named, json }: CallOf<'publish'>,
  folderOf: (part: PartName) => string,
): Promise<{ readonly sent: readonly string[]; readonly build: SentBuild }> {
  const folder = named ?? folderOf(part);
  const files = await readBuildFiles(folder, await readPartManifest(folder));
  return {
    sent: [name, ...(json ? ['--json'] : []), '--', part],
    build: { files, commit: await readCommit(folder) },
  };
}

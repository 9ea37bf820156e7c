import { createHash } from 'node:crypto';
import type { PartName } from '@countersign/contracts/remotes';
import { printable } from '../platform/printable.ts';
import { listBuildFiles, readPartManifest } from '../deploy/build-files.ts';
import { readCommit } from '../deploy/read-commit.ts';
import { packBuild } from '../release-server/build-tar.ts';
import type { RemoteServer } from '../release-server/client/access-token.ts';
import type { SentCall } from '../release-server/call-messages.ts';
import { callServer } from '../release-server/client/call-server.ts';
import { permissionOf, type CallOf } from './commands.ts';

/**
 * Runs a call on a release server. It reads and writes as if it ran here: progress on stderr, the result on stdout, the exit
 * code. A build of this machine is sent as a tar.
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
  const { sent, pack } =
    call.name === 'publish' ? await packBuildOf(call, folderOf) : { sent: { words }, pack: () => null };
  const progress = (text: string) => process.stderr.write(printable(text));
  const { stdout, exitCode } = await callServer(
    server,
    sent,
    pack,
    progress,
    permissionOf(call) !== undefined,
  );
  process.stdout.write(printable(stdout));
  if (exitCode !== 0) process.exitCode = exitCode;
}

/** The build that a call names, and the call without its folder. */
async function packBuildOf(
  { name, part, folder: named, json }: CallOf<'publish'>,
  folderOf: (part: PartName) => string,
): Promise<{ readonly sent: SentCall; readonly pack: () => ReadableStream<Uint8Array> }> {
  const folder = named ?? folderOf(part);
  const files = await listBuildFiles(folder, await readPartManifest(folder));
  const pack = () => packBuild(folder, files);
  const digest = createHash('sha256');
  let size = 0;
  for await (const piece of pack()) {
    digest.update(piece);
    size += piece.length;
  }
  const build = { size, hash: digest.digest('hex'), commit: await readCommit(folder) };
  return { sent: { words: [name, ...(json ? ['--json'] : []), '--', part], build }, pack };
}

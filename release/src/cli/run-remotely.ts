import type { BrowserLocation } from '@countersign/browser/find-browser';
import * as z from 'zod/mini';
import { printable } from '../platform/printable.ts';
import { UsageError } from '../platform/release-error.ts';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { readBuild } from '../publish/publish-part.ts';
import { newestWithCommit, readChangelog } from '../publish/read-changelog.ts';
import type { RemoteServer } from '../release-server/client/access-token.ts';
import { callServer, type SentBuild } from '../release-server/client/call-server.ts';
import type { CallResult } from '../release-server/call-messages.ts';
import { argumentsOf, commandNamed, type ParsedCall } from './command-line.ts';
import { parsePart } from './part-argument.ts';
import { completeBuild, type PublishOptions } from './publish-command.ts';

/**
 * Runs a call on a release server. It reads and writes as if it ran here: progress on stderr, the result on stdout, the exit
 * code. Files of this machine are read here, and sent.
 */
export async function runRemotely(
  server: RemoteServer,
  call: ParsedCall,
  browser: BrowserLocation,
): Promise<void> {
  const { stdout, exitCode } = await makeCall(server, call, browser);
  process.stdout.write(printable(stdout));
  if (exitCode !== 0) process.exitCode = exitCode;
}

async function makeCall(
  server: RemoteServer,
  call: ParsedCall,
  browser: BrowserLocation,
): Promise<CallResult> {
  const { command, name, words, options } = call;
  const [word = ''] = words;
  if (name === 'publish') {
    const directory = await completeBuild(word, words[1], options as PublishOptions, browser);
    const { json } = options;
    return send(
      server,
      { ...call, words: [word], options: { json } },
      await readSentBuild(server, word, directory),
    );
  }
  if (name === 'check' && words.length === 1) {
    const build = await readSentBuild(server, word, builtDirectoryOf(parsePart(word)));
    const publish = { command: commandNamed('publish'), name: 'publish', words, options: {} };
    const published = await send(server, publish, build);
    if (published.exitCode !== 0) return { ...published, stdout: '' };
    return send(server, { ...call, words: [word, build.version] });
  }
  if (command.isRemote?.(words, options)) return send(server, call);
  throw new UsageError(
    `A release server does not run "${name}" with these arguments. Remove RELEASE_URL, and set the store of this machine.`,
  );
}

function send(server: RemoteServer, call: ParsedCall, build?: SentBuild): Promise<CallResult> {
  return callServer(server, argumentsOf(call), build, (text) => process.stderr.write(printable(text)));
}

const publishedVersions = z.array(
  z.object({ version: z.string(), publishedAt: z.string(), commit: z.optional(z.string()) }),
);

/** Reads a build of this machine, and what changed in it since the version on the server. */
async function readSentBuild(
  server: RemoteServer,
  word: string,
  directory: string,
): Promise<SentBuild & { readonly version: string }> {
  const { manifest, files } = await readBuild(parsePart(word), directory);
  const readBefore = async () => {
    const name = 'changelog';
    const call = { command: commandNamed(name), name, words: [word], options: { json: true } };
    const { stdout } = await send(server, call);
    return newestWithCommit(publishedVersions.parse(JSON.parse(stdout)));
  };
  return { version: manifest.version, files, changelog: await readChangelog(readBefore, directory) };
}

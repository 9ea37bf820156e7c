/** The release server: `npm run release-server`. With `token <name>`, prints a releaser's new token, and its entry for IDENTITIES_FILE. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readArguments, refuseArguments } from '@countersign/contracts/arguments';
import { ignoreOutputErrors } from '@countersign/contracts/program';
import { answerWithBoard } from './board/board-server.ts';
import { assertAllowed, readOwners } from './deploy/owners.ts';
import { permissionOf, serverAccepts } from './cli/commands.ts';
import { parseCommand } from './cli/parse-command.ts';
import { readConfig, type ReleaseConfig } from './cli/config.ts';
import { errorMessage } from './platform/errors.ts';
import { closeServer, hostInUrl, listen } from './platform/listen.ts';
import { linePrinter } from './platform/printable.ts';
import { ReleaseError, UsageError } from './platform/release-error.ts';
import { runMain } from './cli/run-main.ts';
import { aborted, runUntilStopped } from './platform/stop-signal.ts';
import type { SentCall } from './release-server/call-messages.ts';
import { newToken, readIdentities } from './release-server/identities-file.ts';
import { createIdentify } from './release-server/identity.ts';
import { announceChanges } from './release-server/announce-changes.ts';
import { openReceivedBuilds } from './release-server/received-builds.ts';
import { createReleaseServer } from './release-server/create-release-server.ts';
import { createRunningCalls } from './release-server/running-calls.ts';
import { openStore } from './store/open-store.ts';
import { ReleaseStore } from './store/release-store.ts';

/** Milliseconds that running calls get to end when the server stops. Most checks take less. */
const stopTimeout = 120_000;
/** Milliseconds that clients then get to ask for the results, and answers to reach them. */
const answerTimeout = 10_000;

ignoreOutputErrors();
await runMain(async () => {
  const usage = 'npm run release-server [-- token <name>]';
  const { positionals } = readArguments(usage, [0, 2]);
  const [word, name] = positionals;
  if (word === undefined) {
    const config = readConfig();
    return runUntilStopped((stopping, opened) => runServer(config, stopping, opened));
  }
  if (word !== 'token' || name === undefined)
    refuseArguments(`"${positionals.join(' ')}" is no command.`, usage);
  const { token, identity } = newToken(name);
  console.log(`token: ${token}\n${JSON.stringify(identity)}`);
});

/** Runs calls of releasers over HTTP until `stopping` is aborted. Throws a {@link ReleaseError} if a setting is missing. */
async function runServer(
  config: ReleaseConfig,
  stopping: AbortSignal,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { port, host, identitiesFile, webhook, origin: configured } = config.releaseServer;
  if (identitiesFile === undefined) {
    throw new ReleaseError(
      'IDENTITIES_FILE is missing. Set it to a file with the releasers, of which "npm run release-server -- token <name>" prints an entry.',
    );
  }
  // Read again for each token. Here, an invalid file stops the start.
  readIdentities(identitiesFile);
  const origin = () => configured ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const identify = createIdentify(() => readServerFile(() => readIdentities(identitiesFile)), origin);
  const builds = openReceivedBuilds(join(config.dataFolder, 'calls'));
  const calls = createRunningCalls(join(import.meta.dirname, 'cli', 'call-process.ts'), builds);
  const print = linePrinter('release server', console.error);
  const store = new ReleaseStore(openStore(config.store));
  const board = { store, ownersFile: config.ownersFile, print };
  const server = createReleaseServer({
    identify,
    calls,
    answerWithBoard: (request, response) => void answerWithBoard(board, request, response),
    accept: (sent, releaser) => acceptCall(config, sent, releaser),
    warn: print,
  });
  const listening = await listen(server, port, 'RELEASE_PORT', host);
  opened.defer(() => closeServer(server, answerTimeout));
  opened.defer(() => calls.stop(stopTimeout, answerTimeout));
  // Not before it listens, because they may be those of another server with this port.
  builds.clear();
  const address = `http://${hostInUrl(host)}:${listening}`;
  linePrinter('release server')(`listening on ${address} for ${origin()} — Ctrl-C stops it`);
  if (webhook) {
    const cursorFile = join(config.dataFolder, 'announced');
    void announceChanges({ store, ...webhook, cursorFile, board: origin(), warn: print }, stopping);
  }
  await aborted(stopping);
}

/** Reads a file of the server. If it is invalid, that is an error for the server's log, and not a refusal for the client. */
function readServerFile<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new Error(errorMessage(cause), { cause });
  }
}

/** Throws a {@link ReleaseError} if the releaser may not make a call, or if it needs files of the releaser's machine. */
function acceptCall(config: ReleaseConfig, { words, build }: SentCall, releaser: string) {
  // Words without a call ask for help, which the process of the call writes.
  const call = parseCommand(words, { isServer: true, writeHelp: () => undefined });
  const isAccepted = !call || serverAccepts(call);
  if (!isAccepted || (call?.name === 'publish') !== (build !== undefined)) {
    throw new UsageError(
      `The release server does not run "${words[0]}" with these arguments. Run it where the store is, without RELEASE_URL.`,
    );
  }
  const owners = call && readServerFile(() => readOwners(config.ownersFile));
  const permission = call && permissionOf(call);
  if (owners && permission) assertAllowed(owners, releaser, permission);
  // A watch can run for hours, and shuts down gracefully on SIGTERM.
  return { isLongRunning: call?.name === 'watch', mayChange: permission !== undefined };
}

import { execFile, spawn } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type * as z from 'zod';
import { projectFolder } from '../cli/build-parts.ts';
import { callHeader, callState, health, refusal, type SentCall } from '../release-server/call-messages.ts';
import type { Identities } from '../release-server/identities-file.ts';
import { browserEnvironment, compileCache } from './config.ts';
import { runRelease } from './run-release.ts';
import type { TestStore } from './temporary-store.ts';

/** Bundles the client as a team gets it. Returns the path of its program. */
export async function bundleClient(root: string): Promise<string> {
  const program = join(root, 'client', 'release.mjs');
  const bundler = join(projectFolder, 'release', 'src', 'bundle-client.ts');
  await promisify(execFile)(process.execPath, [bundler, program]);
  return program;
}

/**
 * Starts the release server of a store in a process of its own. Disposing of it stops it.
 *
 * @param owners content of the owners' file
 * @param preloaded module that the process runs first, as source text
 */
export async function startReleaseServer(
  { root, environment }: TestStore,
  identities: Identities,
  owners: object,
  port = 0,
  preloaded = '',
) {
  const identitiesFile = join(root, 'identities.json');
  const ownersFile = join(root, 'owners.json');
  await writeFile(identitiesFile, JSON.stringify(identities));
  await writeFile(ownersFile, JSON.stringify(owners));
  const program = join(import.meta.dirname, '..', 'release-server.ts');
  const first = `data:text/javascript,${encodeURIComponent(preloaded)}`;
  const child = spawn(process.execPath, ['--import', first, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...compileCache,
      ...browserEnvironment,
      ...environment,
      IDENTITIES_FILE: identitiesFile,
      OWNERS_FILE: ownersFile,
      RELEASE_PORT: String(port),
      // Must be ignored: the history names the releaser whose token came with a call.
      RELEASER: 'the server',
    },
  });
  const exited = once(child, 'exit');
  let warnings = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (warnings += text));
  const [printed] = (await Promise.race([once(child.stdout, 'data'), once(child, 'close')])) as [unknown];
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(printed)) ?? [];
  if (url === undefined) throw new Error(`It ended with ${child.exitCode}: ${warnings}`);
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  /** Read once, because a connection that many calls share may be closed while they begin. */
  let ready: Promise<z.infer<typeof health>> | undefined;
  return {
    url,
    /** Output of the server on stderr. */
    warnings: () => warnings,
    /** Runs the command, or the program of {@link bundleClient}, as a client of this server. */
    run: (words: readonly string[], client: NodeJS.ProcessEnv, program?: string) =>
      runRelease(words, { ...browserEnvironment, RELEASE_URL: url, ...client }, [], program),
    /** Sends any call, which the command would not. */
    async post(
      token: string,
      sent: SentCall,
      tar: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = [],
      key: string = randomUUID(),
    ) {
      const { instance } = await (ready ??= fetch(`${url}/health`).then(async (answer) =>
        health.parse(await answer.json()),
      ));
      const path = `${url}/calls/${instance}/${key}`;
      const headers = {
        Authorization: `Bearer ${token}`,
        [callHeader]: Buffer.from(JSON.stringify(sent)).toString('base64'),
      };
      const body = Readable.toWeb(Readable.from(tar)) as ReadableStream<Uint8Array>;
      const options = { method: 'POST', headers, body, duplex: 'half' } as const;
      const response = await fetch(path, options);
      return { path, headers, response };
    },
    /** Makes any call, with the tar of a build. Resolves to how it ended, with its progress or the refusal as message. */
    async call(token: string, words: readonly string[], tar?: Uint8Array, key?: string) {
      const build = tar && { size: tar.length, hash: hash('sha256', tar) };
      const posted = await this.post(token, { words, build }, tar && [tar], key);
      const { path, response } = posted;
      const { status } = response;
      if (status === 200) return { status, path, ...(await this.follow(posted)) };
      return { status, path, stdout: '', ...refusal.parse(await response.json()) };
    },
    /** Waits for the end of a call. */
    async follow({ path, headers }: { readonly path: string; readonly headers: Record<string, string> }) {
      let message = '';
      for (;;) {
        const answer = await fetch(`${path}/${message.length}`, { headers });
        const { progress, result } = callState.parse(await answer.json());
        message += progress;
        if (result) return { message, ...result };
      }
    },
    /** Resolves when its process has ended. */
    exited,
    stop,
    [Symbol.asyncDispose]: () => stop('SIGTERM'),
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import webpack, { type Configuration } from 'webpack';
import createMiddleware from 'webpack-dev-middleware';
import { createDevelopmentConfig, developmentFolderOf } from './create-development-config.ts';
import type { LocalRemote } from './development-page.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { describeLocalRemote } from './local-remote.ts';
import { sendText } from './local-server.ts';

/** A remote to serve: its folder, and the definition from its `remote.ts`. */
export interface RemoteSource {
  readonly root: string;
  readonly remote: RemoteDefinition;
}

/** How a page gets the updates of a build. */
export interface Updates {
  /** Path of the stream. */
  readonly path: string;
  readonly stream: EventStream;
  /** `hmr` replaces modules, `reload` loads the page again. */
  readonly apply: 'hmr' | 'reload';
}

export function createUpdates(path: string, apply: Updates['apply']): Updates {
  return { path, stream: createEventStream(), apply };
}

/** A build in memory, made again after each change. */
interface WatchedBuild {
  /** Folder of its files, relative to the origin. */
  readonly folder: string;
  /** Reads an emitted file. */
  readFile(file: string): Uint8Array | undefined;
  /** Resolves when the present sources are built. */
  valid(): Promise<void>;
  serve(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

interface WatchedRemote extends WatchedBuild {
  /** The present build, or `undefined` before the first one without errors. */
  describe(): Promise<LocalRemote | undefined>;
}

/** Builds a remote in memory, and again after each change. */
export function watchRemote(
  { root, remote }: RemoteSource,
  updates: Updates,
  log: (line: string) => void,
): WatchedRemote {
  const { name } = remote;
  const config = { ...createDevelopmentConfig(root, remote), name };
  const build = watchBuild(config, developmentFolderOf(name), log, updates);
  return {
    ...build,
    async describe() {
      await build.valid();
      return describeLocalRemote(remote, build.readFile);
    },
  };
}

/**
 * Builds in memory, and again after each change.
 *
 * @param config its name stands in the log and in events
 * @param updates by default pages do not learn of a new build
 */
export function watchBuild(
  config: Configuration & { readonly name: string },
  folder: string,
  log: (line: string) => void,
  updates?: Updates,
): WatchedBuild {
  const { name } = config;
  const compiler = webpack({ ...config, infrastructureLogging: { level: 'error' } });
  const middleware = createMiddleware(compiler, {
    publicPath: folder,
    stats: 'errors-warnings',
    hot: updates !== undefined && {
      path: updates.path,
      transport: ({ heartbeat }) => updates.stream.forBuild(heartbeat),
      // The name selects this build's events in the stream of all remotes.
      client: { transport: 'sse', name, overlay: false, logging: 'warn', apply: updates.apply },
    },
  });
  let files: ReadonlySet<string> = new Set();
  compiler.hooks.done.tap('watch', (stats) => {
    if (!stats.hasErrors()) files = new Set(Object.keys(stats.compilation.assets));
    const time = (stats.endTime ?? 0) - (stats.startTime ?? 0);
    log(stats.hasErrors() ? `${name} has errors` : `${name} built in ${time} ms`);
  });
  return {
    folder,
    readFile(file) {
      const content = files.has(file)
        ? middleware.context.outputFileSystem.readFileSync?.(join(compiler.outputPath, file))
        : undefined;
      return content === undefined ? undefined : Buffer.from(content);
    },
    valid: () =>
      new Promise<void>((resolve) => {
        middleware.waitUntilValid(() => resolve());
      }),
    serve(request, response) {
      void middleware(request, response, () =>
        sendText(response, 404, 'The build has no such file. Errors stand in the terminal.'),
      );
    },
    close: () =>
      new Promise<void>((resolve) => {
        middleware.close(() => resolve());
      }),
  };
}

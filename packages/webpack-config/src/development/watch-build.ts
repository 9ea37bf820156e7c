import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import webpack, { type Configuration } from 'webpack';
import createMiddleware from 'webpack-dev-middleware';
import { createEventStream, type EventStream } from './event-stream.ts';
import { sendText } from './local-server.ts';
import { createHash } from 'node:crypto';
import type { Asset } from '@countersign/contracts/release-document';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import {
  createDevelopmentConfig,
  developmentChunk,
  developmentEntry,
  developmentFolderOf,
  developmentGlobal,
  developmentVersion,
} from './create-development-config.ts';
import type { LocalRemote } from './development-page.ts';

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
 */
export function watchBuild(
  config: Configuration & { readonly name: string },
  folder: string,
  log: (line: string) => void,
  updates: Updates,
): WatchedBuild {
  const { name } = config;
  const compiler = webpack({ ...config, infrastructureLogging: { level: 'error' } });
  const middleware = createMiddleware(compiler, {
    publicPath: folder,
    stats: 'errors-warnings',
    hot: {
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

/**
 * Describes the present build of a remote for the release document; `undefined` before the first one without errors. The
 * names of its files are fixed. The shell refuses files without a hash, so the hashes are those of this moment.
 *
 * @param readFile reads a file of the build, `undefined` if there is none
 */
function describeLocalRemote(
  { name, exposes }: RemoteDefinition,
  readFile: (file: string) => Uint8Array | undefined,
): LocalRemote | undefined {
  const assets = (file: string): Asset[] => {
    const content = readFile(file);
    if (content === undefined) return [];
    const hash = createHash('sha256').update(content).digest('base64');
    return [{ url: `${developmentFolderOf(name)}${file}`, integrity: `sha256-${hash}` }];
  };
  const [entry] = assets(developmentEntry);
  // A failed build emits nothing, so the one before is served, if there was one.
  if (!entry) return undefined;
  const keys = Object.keys(exposes);
  return {
    name,
    version: {
      version: developmentVersion,
      globalName: developmentGlobal(name),
      entry,
      exposes: Object.fromEntries(
        keys.map((key) => {
          const chunk = developmentChunk(key);
          return [key, { scripts: assets(`${chunk}.js`), styles: assets(`${chunk}.css`) }];
        }),
      ),
      // At once, so that every change is visible without a press.
      hydration: Object.fromEntries(keys.map((key) => [key, 'load'])),
    },
  };
}

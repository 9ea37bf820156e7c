import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Asset } from '@countersign/contracts/release-document';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import webpack, { type Configuration } from 'webpack';
import createMiddleware from 'webpack-dev-middleware';
import {
  developmentChunk,
  developmentEntry,
  developmentFolderOf,
  developmentGlobal,
  developmentVersion,
} from './create-development-config.ts';
import type { LocalRemote } from './development-page.ts';
import { sendText } from './local-server.ts';

/** A remote to serve: its folder, and the definition from its `remote.ts`. */
export interface RemoteSource {
  readonly root: string;
  readonly remote: RemoteDefinition;
}

/** How a page gets the updates of builds. */
interface Updates {
  /**
   * Path of the server-sent events. One stream serves all builds, because a browser opens at most six HTTP/1.1 connections to a
   * server.
   */
  readonly path: string;
  /** `hmr` replaces modules, `reload` loads the page again. */
  readonly apply: 'hmr' | 'reload';
}

/** Builds in memory, made again after each change. */
interface WatchedBuilds {
  /** Whether a path is that of the stream, or in the folder of a build. */
  has(path: string): boolean;
  /** Describes the present build of a remote, or `undefined` before the first one without errors. */
  describe(remote: RemoteDefinition): LocalRemote | undefined;
  /** Resolves when the present sources are built. */
  valid(): Promise<void>;
  serve(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/**
 * Builds in memory, and again after each change.
 *
 * @param configs their names stand in the log and in events, their public paths are their folders
 */
export function watchBuilds(
  configs: readonly Configuration[],
  updates: Updates,
  log: (line: string) => void,
): WatchedBuilds {
  const compiler = webpack(configs);
  const middleware = createMiddleware(compiler, {
    stats: 'errors-warnings',
    hot: {
      path: updates.path,
      // Events contain source code of failed builds.
      cors: false,
      client: { overlay: false, logging: 'warn', apply: updates.apply },
    },
  });
  const built = new Map<string | undefined, ReadonlySet<string>>();
  for (const { name, hooks } of compiler.compilers) {
    hooks.done.tap('watch', (stats) => {
      if (!stats.hasErrors()) built.set(name, new Set(Object.keys(stats.compilation.assets)));
      const time = (stats.endTime ?? 0) - (stats.startTime ?? 0);
      log(stats.hasErrors() ? `${name} has errors` : `${name} built in ${time} ms`);
    });
  }
  return {
    has: (path) =>
      path === updates.path || configs.some(({ output }) => path.startsWith(String(output?.publicPath))),
    describe(remote) {
      const folder = compiler.compilers.find(({ name }) => name === remote.name)?.outputPath ?? '';
      return describeLocalRemote(remote, (file) => {
        if (!built.get(remote.name)?.has(file)) return undefined;
        const content = middleware.context.outputFileSystem.readFileSync?.(join(folder, file));
        return content === undefined ? undefined : Buffer.from(content);
      });
    },
    valid: () => new Promise<void>((resolve) => void middleware.waitUntilValid(() => resolve())),
    serve(request, response) {
      void middleware(request, response, () =>
        sendText(response, 404, 'The build has no such file. Errors stand in the terminal.'),
      );
    },
    close: () => new Promise<void>((resolve) => void middleware.close(() => resolve())),
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

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
  /** Whether a path is that of the event stream, or in the folder of a build. */
  includes(path: string): boolean;
  /** Describes the last build of a remote that succeeded, or `undefined` before the first one. */
  describe(remote: RemoteDefinition): LocalRemote | undefined;
  /** Resolves when the present sources are built, even if with errors. */
  whenBuilt(): Promise<void>;
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
    // Without the count, which is printed even if it is 0.
    stats: { preset: 'errors-warnings', errorsCount: false, warningsCount: false },
    hot: {
      path: updates.path,
      // Events contain source code of failed builds.
      cors: false,
      client: { overlay: false, logging: 'warn', apply: updates.apply },
    },
  });
  /** Remote → files of its last build that succeeded. The output folder also keeps files of earlier builds. */
  const builtFiles = new Map<string | undefined, ReadonlySet<string>>();
  for (const { name, hooks } of compiler.compilers) {
    hooks.done.tap('watch', (stats) => {
      if (!stats.hasErrors()) builtFiles.set(name, new Set(Object.keys(stats.compilation.assets)));
      const time = (stats.endTime ?? 0) - (stats.startTime ?? 0);
      log(stats.hasErrors() ? `${name} has errors` : `${name} built in ${time} ms`);
    });
  }
  return {
    includes: (path) =>
      path === updates.path || configs.some(({ output }) => path.startsWith(String(output?.publicPath))),
    describe(remote) {
      const folder = compiler.compilers.find(({ name }) => name === remote.name)?.outputPath ?? '';
      return describeLocalRemote(remote, (file) => {
        if (!builtFiles.get(remote.name)?.has(file)) return undefined;
        const content = middleware.context.outputFileSystem.readFileSync?.(join(folder, file));
        return content === undefined ? undefined : Buffer.from(content);
      });
    },
    whenBuilt: () => new Promise<void>((resolve) => void middleware.waitUntilValid(() => resolve())),
    serve(request, response) {
      void middleware(request, response, () =>
        sendText(response, 404, 'The build has no such file. Errors stand in the terminal.'),
      );
    },
    close: () => new Promise<void>((resolve) => void middleware.close(() => resolve())),
  };
}

/**
 * Describes a build of a remote for the release document; `undefined` if it has no entry. The names of the files are fixed, and
 * their hashes are computed now, because the shell refuses files without a hash.
 *
 * @param readFile returns a file of the last build that succeeded, or `undefined` if it has no such file
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
      // At once, so that every change is visible without an interaction.
      hydration: Object.fromEntries(keys.map((key) => [key, 'load'])),
    },
  };
}

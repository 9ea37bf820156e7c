import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { leadPath, leadTypes } from '@countersign/contracts/lead';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { telemetryPath } from '@countersign/contracts/telemetry-path';
import { createProxyServer } from 'http-proxy-3';
import webpack, { type Configuration } from 'webpack';
import createMiddleware from 'webpack-dev-middleware';
import { createDevelopmentShellConfig } from '../create-shell-config.ts';
import { createDevelopmentConfig, developmentFolderOf } from './create-development-config.ts';
import {
  bannerStyles,
  bannerStylesheet,
  developmentPage,
  releaseIn,
  type LocalRemote,
} from './development-page.ts';
import { DevelopmentError } from './development-error.ts';
import { developmentShellFile } from './development-shell-plugin.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { describeLocalRemote } from './local-remote.ts';

/** A remote to serve: its folder, and the definition from its `remote.ts`. */
export interface RemoteSource {
  readonly root: string;
  readonly remote: RemoteDefinition;
}

export interface DevelopmentOptions {
  readonly remotes: readonly RemoteSource[];
  /** Folder of the shell, to build its scripts as well. Otherwise the page uses the development build of its own shell. */
  readonly shell?: string | undefined;
  /** Origin of the site whose page is shown. */
  readonly site: string;
  /** 0 picks a free one. */
  readonly port: number;
  log(line: string): void;
}

export interface DevelopmentServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Allowed Host headers. Others are refused, against DNS rebinding. */
const allowedHosts = ['localhost', '127.0.0.1'];

/**
 * Serves the live page of a site with some parts from their sources, on 127.0.0.1. A saved change is applied in the open
 * page: components keep their state, and a change of the shell reloads the page. Only GET and HEAD requests
 * reach the site: leads and telemetry are answered here.
 */
export async function startDevelopmentServer({
  remotes: sources,
  shell,
  site,
  port,
  log,
}: DevelopmentOptions): Promise<DevelopmentServer> {
  const { shell: publishedShell } = releaseIn(await readPage(site));
  // Before the builds, so that an occupied port leaves nothing to stop.
  const server = createServer();
  await listen(server, port);
  const events = { [eventPath]: createEventStream(), [shellEventPath]: createEventStream() };
  const remotes = sources.map((source) => watchRemote(source, events[eventPath], log));
  const localShell =
    shell === undefined ? undefined : watchShell(shell, publishedShell.version, events[shellEventPath], log);
  const builds = [...remotes, ...(localShell ? [localShell] : [])];
  const proxy = createProxyServer({ target: site, changeOrigin: true, secure: true });
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response) sendText(response, 502, `${site} does not answer.`);
    else response.destroy();
  });

  async function sendPage(response: ServerResponse): Promise<void> {
    const html = await readPage(site);
    const described = await Promise.all(remotes.map((remote) => remote.describe()));
    const script = localShell ? localShellScript : await publishedShellScript(site, html);
    const page = developmentPage(
      html,
      described.filter((remote) => remote !== undefined),
      script,
    );
    response.setHeader('Cache-Control', 'no-store');
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (!allowedHosts.includes(URL.parse(`http://${request.headers.host}`)?.hostname ?? '')) {
      sendText(response, 421, `This server answers to ${allowedHosts.join(' and ')} only.`);
      return;
    }
    // Against other origins that load a part as a script, and read its sources.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      answerHere(path, request, response, log);
      return;
    }
    const build = builds.find(({ folder }) => path.startsWith(folder));
    if (build) build.serve(request, response);
    else if (path === '/') {
      sendPage(response).catch((error: unknown) =>
        sendText(response, 502, error instanceof Error ? error.message : String(error)),
      );
    } else if (path === eventPath || path === shellEventPath) {
      events[path].connect(request, response);
    } else if (path === bannerStylesheet) {
      response.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(bannerStyles);
    } else {
      // Cookies of localhost belong to all programs of this machine, whatever their port.
      delete request.headers.cookie;
      delete request.headers.authorization;
      proxy.web(request, response);
    }
  }

  server.on('request', answer);
  const address = server.address();
  await Promise.all(builds.map((build) => build.valid()));
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async close() {
      server.closeAllConnections();
      await Promise.all([
        new Promise((resolve) => server.close(resolve)),
        ...builds.map((build) => build.close()),
      ]);
      proxy.close();
    },
  };
}

/** The preview page of a site. Its `<meta>` element has the content security policy, so headers are not needed. */
async function readPage(site: string): Promise<string> {
  const address = `${site}/?preview`;
  const answer = await fetch(address).catch(() => undefined);
  if (!answer?.ok) {
    throw new DevelopmentError(
      `${address} ${answer ? `answers ${answer.status}` : 'does not answer'}. Name a site with --site.`,
    );
  }
  return answer.text();
}

function watchRemote({ root, remote }: RemoteSource, events: EventStream, log: DevelopmentOptions['log']) {
  const { name } = remote;
  const build = watchBuild(
    createDevelopmentConfig(root, remote),
    name,
    developmentFolderOf(name),
    'hmr',
    events,
    log,
  );
  return {
    ...build,
    /** The present build, or `undefined` before the first one without errors. */
    async describe(): Promise<LocalRemote | undefined> {
      await build.valid();
      // A failed build emits nothing, so the one before is served.
      if (!build.wasEmitted()) return undefined;
      return describeLocalRemote(remote, build.readFile);
    },
  };
}

const localShellFolder = '/__development/shell/';
const localShellScript = `${localShellFolder}shell.js`;

function watchShell(root: string, version: string, events: EventStream, log: DevelopmentOptions['log']) {
  const config = createDevelopmentShellConfig({ root, version });
  return watchBuild(config, 'shell', localShellFolder, 'reload', events, log);
}

/** Events of all remotes. Without CORS headers, because they contain source code of failed builds. */
const eventPath = '/__development/events';
/** Apart from the others, because a client that reloads the page does so for each event in its stream. */
const shellEventPath = '/__development/shell-events';

/** Builds a part in memory, and again after each change. */
function watchBuild(
  config: Configuration,
  name: string,
  folder: string,
  apply: 'hmr' | 'reload',
  events: EventStream,
  log: DevelopmentOptions['log'],
) {
  const compiler = webpack({ ...config, name, infrastructureLogging: { level: 'error' } });
  const middleware = createMiddleware(compiler, {
    publicPath: folder,
    stats: 'errors-warnings',
    hot: {
      path: apply === 'hmr' ? eventPath : shellEventPath,
      transport: ({ heartbeat }) => events.forBuild(heartbeat),
      // The name selects this build's events in the stream of all remotes.
      client: { transport: 'sse', name, overlay: false, logging: 'warn', apply },
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
    /** Reads an emitted file. */
    readFile(file: string): Uint8Array | undefined {
      const content = files.has(file)
        ? middleware.context.outputFileSystem.readFileSync?.(join(compiler.outputPath, file))
        : undefined;
      return content === undefined ? undefined : Buffer.from(content);
    },
    wasEmitted: () => files.size > 0,
    valid: () =>
      new Promise<void>((resolve) => {
        middleware.waitUntilValid(() => resolve());
      }),
    serve(request: IncomingMessage, response: ServerResponse) {
      void middleware(request, response, () => sendText(response, 404, 'The build has no such file.'));
    },
    close: () =>
      new Promise<void>((resolve) => {
        middleware.close(() => resolve());
      }),
  };
}

/** URL of the shell's development build, if the site has one. */
async function publishedShellScript(site: string, html: string): Promise<string | undefined> {
  const url = `/shell/${releaseIn(html).shell.version}/${developmentShellFile}`;
  const answer = await fetch(`${site}${url}`, { method: 'HEAD' });
  return answer.ok ? url : undefined;
}

const leadPaths: readonly string[] = leadTypes.map(leadPath);

/** Answers what must not reach the site. */
function answerHere(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  log: DevelopmentOptions['log'],
): void {
  request.resume();
  if (request.method === 'POST' && path === telemetryPath) response.writeHead(204).end();
  else if (request.method === 'POST' && leadPaths.includes(path)) {
    log(`${path}: the form was not sent to the site`);
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ id: 'development', message: 'Thank you. (Development: not sent.)' }));
  } else sendText(response, 405, 'The development server sends nothing to the site.');
}

function sendText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const message = `Port ${port} is not available (${error.code}). Name another one with --port.`;
      reject(isInUse ? new DevelopmentError(message, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

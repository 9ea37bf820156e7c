import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { leadPath, leadTypes } from '@countersign/contracts/lead';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { telemetryPath } from '@countersign/contracts/telemetry-path';
import { createProxyServer } from 'http-proxy-3';
import webpack from 'webpack';
import createMiddleware from 'webpack-dev-middleware';
import { createDevelopmentConfig, developmentFolderOf } from './create-development-config.ts';
import { bannerStyles, bannerStylesheet, developmentPage, releaseIn } from './development-page.ts';
import { developmentShellFile } from './development-shell-plugin.ts';
import { describeLocalRemote } from './local-remote.ts';

/** A remote to serve: its folder, and the definition from its `remote.ts`. */
export interface RemoteSource {
  readonly root: string;
  readonly remote: RemoteDefinition;
}

export interface DevelopmentServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Allowed Host headers. Others are refused, against DNS rebinding. */
const allowedHosts = ['localhost', '127.0.0.1'];

/**
 * Serves the live page of a site with some remotes from their sources, on 127.0.0.1. A saved change is applied in the open
 * page: components keep their state. Leads and telemetry are answered here and never reach the site.
 *
 * @param site origin of the site whose page is shown
 * @param port 0 picks a free one
 */
export async function startDevelopmentServer(
  sources: readonly RemoteSource[],
  site: string,
  port: number,
  log: (line: string) => void,
): Promise<DevelopmentServer> {
  const builds = sources.map((source) => watchRemote(source, log));
  const proxy = createProxyServer({ target: site, changeOrigin: true, secure: true });
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response) sendText(response, 502, `${site} does not answer.`);
    else response.destroy();
  });

  async function sendPage(response: ServerResponse): Promise<void> {
    const answer = await fetch(`${site}/?preview`);
    const html = await answer.text();
    if (!answer.ok) {
      sendText(response, 502, `${site}/?preview answers ${answer.status}. Name a site with --site.`);
      return;
    }
    const remotes = await Promise.all(builds.map((build) => build.describe()));
    const page = developmentPage(html, remotes, await developmentShellOf(site, html));
    // Without Integrity-Policy, because hot updates have no hash.
    const policy = answer.headers.get('Content-Security-Policy');
    if (policy !== null) response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Cache-Control', 'no-store');
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (!allowedHosts.includes(URL.parse(`http://${request.headers.host}`)?.hostname ?? '')) {
      sendText(response, 421, `This server answers to ${allowedHosts.join(' and ')} only.`);
      return;
    }
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const build = builds.find(({ folders }) => folders.some((folder) => path.startsWith(folder)));
    if (build) build.serve(request, response);
    else if (path === '/') {
      sendPage(response).catch((error: unknown) => sendText(response, 502, `${site}: ${String(error)}`));
    } else if (path === bannerStylesheet) {
      response.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(bannerStyles);
    } else if (request.method === 'POST') answerHere(path, request, response, log);
    else proxy.web(request, response);
  }

  const server = createServer(answer);
  await listen(server, port);
  const address = server.address();
  await Promise.all(builds.map((build) => build.describe()));
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

/** Builds a remote, and again after each change. */
function watchRemote({ root, remote }: RemoteSource, log: (line: string) => void) {
  const { name } = remote;
  const folder = developmentFolderOf(name);
  const events = `/__development/${name}`;
  const compiler = webpack(createDevelopmentConfig(root, remote));
  if (!compiler) throw new Error(`${name} cannot be built.`);
  const middleware = createMiddleware(compiler, {
    publicPath: folder,
    stats: 'errors-warnings',
    hot: { path: events, client: { overlay: false, logging: 'warn' } },
  });
  compiler.hooks.done.tap('watch', (stats) => {
    const time = (stats.endTime ?? 0) - (stats.startTime ?? 0);
    log(stats.hasErrors() ? `${name} has errors` : `${name} built in ${time} ms`);
  });
  return {
    folders: [folder, events],
    serve(request: IncomingMessage, response: ServerResponse) {
      void middleware(request, response, () => sendText(response, 404, 'The build has no such file.'));
    },
    async describe() {
      await new Promise<void>((resolve) => {
        middleware.waitUntilValid(() => resolve());
      });
      const { outputFileSystem } = middleware.context;
      return describeLocalRemote(name, (file) => {
        const content = outputFileSystem.readFileSync?.(join(root, 'dist', file));
        if (content === undefined) throw new Error(`The build of ${name} has no ${file}.`);
        return Buffer.from(content);
      });
    },
    close: () => new Promise<void>((resolve) => middleware.close(() => resolve())),
  };
}

/** URL of the shell's development build, if the site has one. */
async function developmentShellOf(site: string, html: string): Promise<string | undefined> {
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
  log: (line: string) => void,
): void {
  request.resume();
  if (path === telemetryPath) response.writeHead(204).end();
  else if (leadPaths.includes(path)) {
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
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
}

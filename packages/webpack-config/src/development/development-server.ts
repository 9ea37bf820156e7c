import { globalAgent } from 'node:https';
import { developmentFolder } from '@countersign/contracts/part-manifest';
import { slotAttributes } from '@countersign/contracts/page-markup';
import { createProxyServer } from 'http-proxy-3';
import type { Configuration } from 'webpack';
import { createDevelopmentShellConfig } from '../part/create-shell-config.ts';
import { DevelopmentError } from './development-error.ts';
import { developmentPage, releaseIn } from './development-page.ts';
import { openLocalServer, sendPage, sendText } from './local-server.ts';
import { watchBuilds, type RemoteSource } from './watch-build.ts';
import { createDevelopmentConfig } from './create-development-config.ts';

interface DevelopmentOptions {
  readonly remotes: readonly RemoteSource[];
  /** Folder of the shell, to build its scripts as well. Otherwise the page uses the development build of its own shell. */
  readonly shell?: string | undefined;
  /** Origin of the site whose page is shown. */
  readonly site: string;
  /** 0 picks a free port. */
  readonly port: number;
  log(line: string): void;
}

export interface DevelopmentServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Response headers of the site that reach the browser. Cookies, caching and others would outlast the visit, and affect the
 * next site that is developed on this port.
 */
const forwardedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-security-policy',
  'content-type',
  'date',
  'location',
  'x-content-type-options',
]);

/** Paths that this server answers itself, from its builds. */
const ownFolder = '/__development/';
const localShellFolder = `${ownFolder}shell/`;
const localShellScript = `${localShellFolder}shell.js`;

/** The page with the published shell, unless that is developed, too. It is faster, and reports what visitors meet. */
export const publishedShellPage = '/?published-shell';

/**
 * Serves the live page of a site with some parts from their sources, on 127.0.0.1. A saved change is applied in the open
 * page: components keep their state, and a change of the shell reloads the page. Only GET and HEAD requests
 * reach the site: leads and page reports are answered here.
 */
export async function startDevelopmentServer({
  remotes,
  shell,
  site,
  port,
  log,
}: DevelopmentOptions): Promise<DevelopmentServer> {
  const firstPage = await readPage(site);
  const { version: shellVersion } = releaseIn(firstPage).shell;
  // Before the builds, so that an occupied port leaves nothing to stop.
  const server = await openLocalServer(port, log);
  const remoteConfigs = remotes.map(({ root, remote }) => createDevelopmentConfig(root, remote));
  const remoteBuilds =
    remotes.length > 0
      ? watchBuilds(remoteConfigs, { path: `${ownFolder}events`, apply: 'hmr' }, log)
      : undefined;
  // With a stream of its own, because the client reloads the page for each event in its stream.
  const shellUpdates = { path: `${ownFolder}shell-events`, apply: 'reload' } as const;
  const shellBuild =
    shell === undefined ? undefined : watchBuilds([shellConfig(shell, shellVersion)], shellUpdates, log);
  const builds = [remoteBuilds, shellBuild].filter((build) => build !== undefined);
  const proxy = createProxyServer({
    target: site,
    changeOrigin: true,
    secure: true,
    // It uses the proxy of the environment, as NODE_USE_ENV_PROXY says.
    ...(site.startsWith('https:') && { agent: globalAgent }),
  });
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response) sendText(response, 502, `${site} does not answer.`);
    // The socket of an upgrade.
    else response.destroy();
  });
  proxy.on('proxyRes', (answer) => {
    const passed = Object.entries(answer.headers).filter(([name]) => forwardedHeaders.has(name));
    answer.headers = { ...Object.fromEntries(passed), 'cache-control': 'no-store' };
  });

  /** The live page of the site with the local builds. A remote whose build has not succeeded yet keeps its live version. */
  async function localPage(address: string | undefined): Promise<string> {
    const html = await readPage(site);
    await remoteBuilds?.whenBuilt();
    const local = remotes.flatMap(({ remote }) => remoteBuilds?.describe(remote) ?? []);
    if (shellBuild) return developmentPage(html, local, localShellScript);
    if (address === publishedShellPage) return developmentPage(html, local);
    const developmentScript = `/shell/${releaseIn(html).shell.version}/${developmentFolder}shell.js`;
    return developmentPage(html, local, developmentScript);
  }

  server.answerWith((path, request, response) => {
    const build = builds.find(({ includes }) => includes(path));
    if (build) build.serve(request, response);
    else if (path === '/') {
      localPage(request.url)
        .then((page) => sendPage(response, page))
        .catch((error: unknown) =>
          sendText(response, 502, error instanceof Error ? error.message : String(error)),
        );
    } else if (path.startsWith(ownFolder)) sendText(response, 404, 'Nothing of the kind is built.');
    else {
      // Cookies of localhost belong to all programs of this machine, whatever their port.
      delete request.headers.cookie;
      delete request.headers.authorization;
      proxy.web(request, response);
    }
  });
  await Promise.all(builds.map((build) => build.whenBuilt()));
  for (const name of remotesWithoutSlot(firstPage, remotes)) {
    log(
      `${name} has no slot in the page of ${site}. Release the shell with its slot, or start the site again.`,
    );
  }
  return {
    port: server.port,
    async close() {
      await Promise.all([server.close(), ...builds.map((build) => build.close())]);
      proxy.close();
    },
  };
}

/** Names of remotes that the page does not show, such as a new one whose slot is not released yet. */
function remotesWithoutSlot(html: string, remotes: readonly RemoteSource[]): readonly string[] {
  const names = remotes.map(({ remote }) => remote.name);
  return names.filter((name) => !html.includes(`${slotAttributes.remote}="${name}"`));
}

/** Timeout of requests to the site, in milliseconds. */
const siteTimeout = 5000;

/** The site's page with labelled blocks. Its `<meta>` element has the content security policy, so headers are not needed. */
async function readPage(site: string): Promise<string> {
  const address = `${site}/?preview`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(siteTimeout) }).catch(() => undefined);
  if (!answer?.ok) {
    throw new DevelopmentError(
      `${address} ${answer ? `answers ${answer.status}` : 'does not answer'}. Name a site with --site.`,
    );
  }
  return answer.text();
}

/** @param version published version of the shell, because the page has its styles, whose class names depend on it */
function shellConfig(root: string, version: string): Configuration {
  const { output, ...config } = createDevelopmentShellConfig({ root, version });
  const infrastructureLogging = { level: 'error' } as const;
  return {
    ...config,
    infrastructureLogging,
    name: 'shell',
    output: { ...output, publicPath: localShellFolder },
  };
}

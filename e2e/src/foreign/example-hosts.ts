import { once } from 'node:events';
import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { projectDirectory, removeDirectory, run } from '../site/running-site.ts';

/** Hosts of the example project, by their bundlers. */
export const hostNames = ['webpack', 'rsbuild', 'vite'] as const;
export type HostName = (typeof hostNames)[number];

/** The example project in a folder outside of this one, with its own dependencies. */
export interface ExampleHosts extends AsyncDisposable {
  /** Origin of each host. Differs from all others, and is cross-site to the page. */
  readonly origins: Readonly<Record<HostName, string>>;
  /** Builds a host that loads parts from an origin. Replaces its earlier build. */
  build(host: HostName, partsOrigin: string): Promise<void>;
}

export async function installExampleHosts(): Promise<ExampleHosts> {
  const copy = await mkdtemp(join(tmpdir(), 'hosts-'));
  await cp(join(projectDirectory, 'e2e', 'examples', 'hosts'), copy, {
    recursive: true,
    filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
  });
  const npm = (words: readonly string[], variables = {}) => run('npm', words, { cwd: copy, variables });
  await npm(['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error']);
  const servers = await Promise.all(hostNames.map((host) => serveFolder(join(copy, 'dist', host))));
  const originOf = (index: number) => `http://127.0.0.1:${(servers[index]?.address() as AddressInfo).port}`;
  return {
    origins: { webpack: originOf(0), rsbuild: originOf(1), vite: originOf(2) },
    async build(host, partsOrigin) {
      await npm(['run', `build:${host}`], { PARTS_ORIGIN: partsOrigin });
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      await removeDirectory(copy);
    },
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

async function serveFolder(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host.invalid');
    const file = pathname === '/' ? '/index.html' : pathname;
    readFile(join(folder, file)).then(
      (content) => response.setHeader('Content-Type', contentTypes[extname(file)] ?? '').end(content),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

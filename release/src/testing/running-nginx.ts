import { execFile, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from '../platform/listen.ts';

const run = promisify(execFile);
const configuration = join(import.meta.dirname, '..', '..', 'nginx');
const brotliModule = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';

/** nginx with the project's configuration. Disposing of it stops the server. */
export interface RunningNginx extends AsyncDisposable {
  readonly port: number;
  /** Whether the Brotli module is installed. */
  readonly brotli: boolean;
  /** Reloads the configuration, as after a release. */
  reload(): Promise<void>;
}

/** Serves a store in the given folder, and proxies `/api` to a port. */
export async function startNginx(storeDirectory: string, servicePort: number): Promise<RunningNginx> {
  const site = await readFile(join(configuration, 'site.conf'), 'utf8');
  return runNginx(
    site.replaceAll('/srv/site', storeDirectory).replace('127.0.0.1:3001', `127.0.0.1:${servicePort}`),
  );
}

/** Balances the load of two site servers. */
export async function startBalancer(first: number, second: number): Promise<RunningNginx> {
  const balancer = await readFile(join(configuration, 'balancer.conf'), 'utf8');
  return runNginx(
    balancer.replace('127.0.0.1:3000', `127.0.0.1:${first}`).replace('127.0.0.1:3010', `127.0.0.1:${second}`),
  );
}

/** @param site configuration of a server on port 8080, which gets a free one instead */
async function runNginx(site: string): Promise<RunningNginx> {
  const nginx = findNginx();
  const directory = await mkdtemp(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  const brotli = existsSync(brotliModule);
  await writeFile(join(directory, 'site.conf'), site.replace('listen 8080', `listen 127.0.0.1:${port}`));
  await mkdir(join(directory, 'site-modules'));
  if (brotli) {
    await cp(
      join(configuration, 'brotli-static.conf'),
      join(directory, 'site-modules', 'brotli-static.conf'),
    );
  }
  const main = join(directory, 'nginx.conf');
  await writeFile(main, mainConfiguration(directory, brotli));
  // The command returns after nginx listens.
  const command = (...words: readonly string[]) => run(nginx, ['-c', main, '-p', directory, ...words]);
  await command();
  return {
    port,
    brotli,
    reload: async () => void (await command('-s', 'reload')),
    async [Symbol.asyncDispose]() {
      await command('-s', 'stop');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Main configuration, which keeps all files of nginx in one folder. */
function mainConfiguration(directory: string, brotli: boolean): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return [
    ...(brotli ? [`load_module ${brotliModule};`] : []),
    // By default, workers run as a user that cannot read the test's folders.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'worker_processes 1;',
    `pid ${directory}/nginx.pid;`,
    `error_log ${directory}/error.log;`,
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map((kind) => `${kind}_temp_path ${directory}/${kind};`),
    'include site.conf;',
    '}',
  ].join('\n');
}

function findNginx(): string {
  const places = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'];
  const find = () => places.find((place) => existsSync(place));
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0) {
    // Run level 1, so that the package does not start its server.
    const wait = ['-o', 'DPkg::Lock::Timeout=120'];
    const quietly = {
      stdio: 'ignore',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', RUNLEVEL: '1' },
    } as const;
    spawnSync('apt-get', ['update', ...wait], quietly);
    spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', ...wait, 'nginx'], quietly);
  }
  const installed = find();
  if (!installed) {
    throw new Error('nginx is missing and could not be installed. Install nginx.');
  }
  return installed;
}

/** A free port that no other program gets by listening on port 0, because Linux hands out only those from 32768 on. */
async function freePort(): Promise<number> {
  for (;;) {
    const probe = createServer();
    const port = await listen(probe, randomInt(20_000, 32_768), 'PORT').catch(() => undefined);
    if (port === undefined) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

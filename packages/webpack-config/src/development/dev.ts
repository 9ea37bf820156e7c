/** `npm run dev`: shows parts from their sources in the live page of a site. `--help` lists the options. */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { Command } from 'commander';
import { startDevelopmentServer, type RemoteSource } from './development-server.ts';

interface Options {
  readonly site: string;
  readonly port: string;
  readonly start?: string;
}

await new Command()
  .name('dev')
  .description('show parts from their sources in the live page of a site')
  .argument('[parts...]', 'folders of parts (default: every folder with a remote.ts)')
  .option('--site <url>', 'site whose page is shown', 'http://localhost:3000')
  .option('--port <number>', 'port of the development server', '4000')
  .option('--start <program>', 'program that starts the site if it does not answer')
  .action(async (folders: readonly string[], options: Options) => {
    const sources = await Promise.all((folders.length > 0 ? folders : foldersOfRemotes()).map(readSource));
    const site = new URL(options.site).origin;
    const stopSite = await ensureSite(site, options.start);
    const server = await startDevelopmentServer(sources, site, Number(options.port), print);
    print(`open http://localhost:${server.port} — Ctrl-C stops it`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void server.close().then(stopSite));
    }
  })
  .parseAsync();

function foldersOfRemotes(): readonly string[] {
  return globSync('*/remote.ts').map(dirname);
}

async function readSource(folder: string): Promise<RemoteSource> {
  const root = resolve(folder);
  const file = pathToFileURL(join(root, 'remote.ts')).href;
  const { remote } = (await import(file)) as { readonly remote: RemoteDefinition };
  return { root, remote };
}

/** Starts the site if it does not answer. Returns the function that stops what was started. */
async function ensureSite(site: string, program: string | undefined): Promise<() => void> {
  const answers = () =>
    fetch(site).then(
      ({ ok }) => ok,
      () => false,
    );
  if (program === undefined || (await answers())) return () => undefined;
  print(`${site} does not answer: starting it …`);
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit'] });
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${basename(program)} ended with ${child.exitCode}.`);
    await new Promise((wait) => setTimeout(wait, 200));
  }
  return () => void child.kill();
}

function print(line: string): void {
  console.log(`dev: ${line}`);
}

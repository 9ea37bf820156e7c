/** `npm run dev`: shows parts from their sources in the live page of a site. `--help` lists the options. */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { Command } from 'commander';
import { startDevelopmentServer, type RemoteSource } from './development-server.ts';

interface Options {
  readonly site: string;
  readonly port: string;
  readonly start?: string;
  readonly test?: boolean;
}

await new Command()
  .name('dev')
  .description('show parts from their sources in the live page of a site')
  .argument('[parts...]', 'folders of parts (default: all, with the shell)')
  .option('--site <url>', 'site whose page is shown', 'http://localhost:3000')
  .option('--port <number>', 'port of the development server', '4000')
  .option('--start <program>', 'program that starts the site if it does not answer')
  .option('--test', 'run the unit tests of the parts instead, again after each change')
  .action(async (named: readonly string[], options: Options) => {
    const folders = named.length > 0 ? named : globSync(['*/remote.ts', 'shell/package.json']).map(dirname);
    if (options.test) {
      watchTests(folders);
      return;
    }
    const shell = folders.find((folder) => basename(resolve(folder)) === 'shell');
    const remotes = await Promise.all(folders.filter((folder) => folder !== shell).map(readSource));
    const site = new URL(options.site).origin;
    const stopSite = await ensureSite(site, options.start);
    const server = await startDevelopmentServer({
      remotes,
      shell: shell && resolve(shell),
      site,
      port: Number(options.port),
      log: print,
    });
    print(`open http://localhost:${server.port} — Ctrl-C stops it`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void server.close().then(stopSite));
    }
  })
  .parseAsync();

/** Runs Jest in watch mode, which also reads keys from the terminal. */
function watchTests(folders: readonly string[]): void {
  const jest = createRequire(join(process.cwd(), 'package.json')).resolve('jest/bin/jest');
  const words = [jest, '--watchAll', '--projects', ...folders.map((folder) => resolve(folder))];
  spawn(process.execPath, words, { stdio: 'inherit' }).on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
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

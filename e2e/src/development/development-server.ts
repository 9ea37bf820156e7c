import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentWith } from '../config.ts';
import { copyProject, projectDirectory, removeDirectory, waitForLine } from '../running-site.ts';

/** `npm run dev -- mf-pricing` on a copy of that part's sources. */
export interface DevelopmentServer extends AsyncDisposable {
  readonly url: string;
  /** Printed lines so far. */
  readonly lines: readonly string[];
  /** Replaces text in a source file, as an editor saves it. Throws an error if the file does not contain it. */
  edit(file: string, from: string, to: string): Promise<void>;
}

const program = join(projectDirectory, 'packages/webpack-config/src/development/dev.ts');

export async function startDevelopmentServer(site: string): Promise<DevelopmentServer> {
  const copy = await copyProject(['mf-pricing', 'tsconfig.base.json']);
  const server = spawn(process.execPath, [program, 'mf-pricing', '--site', site, '--port', '0'], {
    cwd: copy,
    env: environmentWith({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const [url = ''] = /http:\S+/.exec(await waitForLine(server, /open http/, lines)) ?? [];
  return {
    url,
    lines,
    async edit(file, from, to) {
      const path = join(copy, 'mf-pricing', 'src', file);
      const before = await readFile(path, 'utf8');
      if (!before.includes(from)) throw new Error(`${file} does not contain ${from}.`);
      await writeFile(path, before.replace(from, to));
    },
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await removeDirectory(copy);
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteName } from '@countersign/contracts/remotes';
import { environmentWith } from '../config.ts';
import { copyProject, projectDirectory, removeDirectory, waitForLine } from './running-site.ts';

/** `npm run dev` for one part, on a copy of its sources. */
interface DevelopmentServer extends AsyncDisposable {
  readonly url: string;
  /** Folder of the part's copy. */
  readonly folder: string;
  /** Printed lines so far. */
  readonly lines: readonly string[];
  /** Replaces text everywhere in a source file, as an editor saves it. Throws an error if the file does not contain it. */
  edit(file: string, from: string, to: string): Promise<void>;
}

const program = join(projectDirectory, 'packages/webpack-config/src/development/dev.ts');

/** @param words options, such as `--site` with a URL */
export async function startDevelopmentServer(
  part: RemoteName,
  ...words: readonly string[]
): Promise<DevelopmentServer> {
  const copy = await copyProject([part, 'tsconfig.base.json']);
  const folder = join(copy, part);
  const server = spawn(process.execPath, [program, part, ...words, '--port', '0'], {
    cwd: copy,
    env: environmentWith({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const [url = ''] = /http:\S+/.exec(await waitForLine(server, /open http/, lines)) ?? [];
  return {
    url,
    folder,
    lines,
    async edit(file, from, to) {
      const path = join(folder, 'src', file);
      const before = await readFile(path, 'utf8');
      if (!before.includes(from)) throw new Error(`${file} does not contain ${from}.`);
      // A busy machine would otherwise build the file while it is empty, which is a change of its own.
      const changed = join(copy, 'changed');
      await writeFile(changed, before.replaceAll(from, to));
      await rename(changed, path);
    },
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await removeDirectory(copy);
    },
  };
}

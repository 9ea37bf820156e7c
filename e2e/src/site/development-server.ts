import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteName } from '@countersign/contracts/remotes';
import { test } from '@playwright/test';
import { copyForBuild } from './project-copy.ts';
import { end, projectDirectory, startProgram, waitForLine } from './running-site.ts';

/** `npm run dev` for one part, on a copy of its sources. */
interface DevelopmentServer extends AsyncDisposable {
  readonly url: string;
  /** Printed lines so far. */
  readonly lines: readonly string[];
  /** Replaces text everywhere in a source file, as an editor saves it. Throws an error if the file does not contain it. */
  edit(file: string, from: string, to: string): Promise<void>;
}

const program = join(projectDirectory, 'packages/webpack-config/src/development/dev.ts');

/** @param options such as `--site` with a URL */
export async function startDevelopmentServer(
  part: RemoteName,
  ...options: readonly string[]
): Promise<DevelopmentServer> {
  const copy = test.info().outputPath('copy');
  await copyForBuild([part], copy);
  const server = startProgram([program, part, ...options, '--port', '0'], { cwd: copy });
  const lines: string[] = [];
  const [url = ''] = /http:\S+/.exec(await waitForLine(server, /open http/, lines)) ?? [];
  return {
    url,
    lines,
    async edit(file, from, to) {
      const path = join(copy, part, 'src', file);
      const before = await readFile(path, 'utf8');
      if (!before.includes(from)) throw new Error(`${file} does not contain ${from}.`);
      // On a busy machine, the server would build a file that is still empty.
      const changed = join(copy, 'changed');
      await writeFile(changed, before.replaceAll(from, to));
      await rename(changed, path);
    },
    async [Symbol.asyncDispose]() {
      await end(server);
      await rm(copy, { recursive: true });
    },
  };
}

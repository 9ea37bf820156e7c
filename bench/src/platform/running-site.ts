import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from './child-programs.ts';

/** Serves the page like `npm start`, on free ports and with a temporary data folder, while `measure` runs. */
export async function withRunningSite<Result>(
  measure: (dataDirectory: string) => Promise<Result>,
): Promise<Result> {
  await using dataDirectory = await mkdtempDisposable(join(tmpdir(), 'bench-'));
  await using started = new AsyncDisposableStack();
  // Without a database URL, so that the benchmark does not write leads into a database in use.
  started.use(
    await startProgram(['release/src/start.ts'], /http:\/\/localhost:\d+/, {
      DATABASE_URL: undefined,
      PORT: '0',
      LEADS_PORT: '0',
      BOARD_PORT: '0',
      DATA_DIR: dataDirectory.path,
    }),
  );
  return await measure(dataDirectory.path);
}

/** Path of the browser. The end-to-end tests find or install it. */
export async function browserPath(): Promise<string> {
  await using search = await startProgram(
    ['packages/browser/src/ensure-browser.ts'],
    /^browser: (\/\S+|[A-Z]:.+)$/,
  );
  return search.printed;
}

import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDirectory, runProgram, startProgram } from '../../platform/child-programs.ts';
import { filesIn, siteFile, type Site, type Variant } from './site-files.ts';

const otherVersion = '99.0.1';

/** Variant: this page, released into a temporary store like by `npm start`, before and after a deploy. `folder` is for the second build. */
export async function composedVariant(folder: string): Promise<Variant> {
  const rebuilt = join(folder, 'ours', 'mf-pricing');
  await using data = await mkdtempDisposable(join(tmpdir(), 'bench-'));
  const store = { DATA_DIR: data.path };
  // Without a database URL, so that the benchmark does not write leads into a database in use.
  const variables = { ...store, DATABASE_URL: undefined, PORT: '0', LEADS_PORT: '0', BOARD_PORT: '0' };
  await using started = new AsyncDisposableStack();
  started.use(await startProgram(['release/src/start.ts'], /http:\/\/localhost:\d+/, variables));
  const first = await storedSite(data.path);
  await runProgram(
    [join(projectDirectory, 'node_modules', 'webpack-cli', 'bin', 'cli.js'), '--output-path', rebuilt],
    { PART_VERSION: otherVersion },
    join(projectDirectory, 'mf-pricing'),
  );
  const release = (...args: string[]) => runProgram(['release/src/cli.ts', ...args], store);
  await release('publish', 'mf-pricing', rebuilt);
  await release('promote', 'mf-pricing', otherVersion);
  return { name: 'ours', site: first, deployed: await storedSite(data.path) };
}

/** Files that the store serves: the live pages with their headers, and all published parts. */
async function storedSite(dataDirectory: string): Promise<Site> {
  const store = join(dataDirectory, 'site');
  const pages = await filesIn(join(store, 'current'));
  const headers = JSON.parse(await readFile(join(store, 'current', '.headers.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const html = await readFile(join(store, 'current', 'index.html'));
  return new Map([
    ...pages,
    ...(await filesIn(join(store, 'parts'))),
    ['/', await siteFile('/index.html', html, headers['index.html'])] as const,
  ]);
}

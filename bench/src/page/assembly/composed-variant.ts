import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory, runProgram } from '../../platform/child-programs.ts';
import { withRunningSite } from '../../platform/running-site.ts';
import { filesIn, siteFile, type Site } from './site-files.ts';
import type { Variant } from './variant.ts';

const deployedVersion = '99.0.1';

/** Variant: the page of this project, released into a temporary store, before and after a deploy. */
export async function composedVariant(folder: string): Promise<Variant> {
  const rebuilt = join(folder, 'ours', 'mf-pricing');
  return withRunningSite(async (dataDirectory) => {
    const site = await storedSite(dataDirectory);
    await runProgram(
      [join(projectDirectory, 'node_modules', 'webpack-cli', 'bin', 'cli.js'), '--output-path', rebuilt],
      { PART_VERSION: deployedVersion },
      join(projectDirectory, 'mf-pricing'),
    );
    const release = (...args: string[]) =>
      runProgram(['release/src/cli.ts', ...args], { DATA_DIR: dataDirectory });
    await release('publish', 'mf-pricing', rebuilt);
    await release('promote', 'mf-pricing', deployedVersion, '--force', '--why', 'a measurement');
    return { name: 'ours', site, deployed: await storedSite(dataDirectory) };
  });
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

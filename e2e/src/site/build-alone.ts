import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentWith } from '../config.ts';
import { projectDirectory, releaseCommand } from './running-site.ts';

const run = promisify(execFile);

/** Builds a part in a workspace without other parts, and returns the build folder. */
export async function buildAlone(workspace: string, part: string, version: string): Promise<string> {
  const directory = join(workspace, part);
  await run(join(projectDirectory, 'node_modules', '.bin', 'webpack'), [], {
    cwd: directory,
    env: environmentWith({ PART_VERSION: version }),
  });
  return join(directory, 'dist');
}

/** Publishes a build to the store of a site, and makes it live. */
export async function publishAndPromote(
  dataDirectory: string,
  part: string,
  version: string,
  built: string,
): Promise<void> {
  const release = (...words: readonly string[]) =>
    run(process.execPath, [releaseCommand, ...words], { env: environmentWith({ DATA_DIR: dataDirectory }) });
  await release('publish', part, built);
  await release('promote', part, version);
}

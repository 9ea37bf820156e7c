import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartName } from '@countersign/contracts/remotes';
import { writeBuiltPart, type BuiltPart } from './built-part.ts';
import { runRelease, type Outcome } from './run-release.ts';

/** Somebody who calls the command, with a data folder of their own. Disposing of it removes everything. */
export interface Releaser extends AsyncDisposable {
  /** For whatever a test writes. */
  readonly directory: string;
  /** Folder of the store, once something is stored. */
  readonly storeDirectory: string;
  run(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** Writes a build and returns its folder. */
  build(part: BuiltPart): Promise<string>;
  /** Writes a build and publishes it. */
  publish(name: PartName, part: BuiltPart): Promise<Outcome>;
}

export async function createReleaser(): Promise<Releaser> {
  const directory = await mkdtemp(join(tmpdir(), 'releaser-'));
  const data = join(directory, 'data');
  const run: Releaser['run'] = (words, environment = {}) =>
    runRelease(words, { DATA_DIR: data, ...environment });
  const build: Releaser['build'] = async (part) => {
    const folder = await mkdtemp(join(directory, 'built-'));
    await writeBuiltPart(folder, part);
    return folder;
  };
  return {
    directory,
    storeDirectory: join(data, 'site'),
    run,
    build,
    publish: async (name, part) => run(['publish', name, await build(part)]),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

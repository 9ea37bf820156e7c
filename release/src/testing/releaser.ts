import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartName } from '@countersign/contracts/remotes';
import { writeBuiltPart, type BuiltPart } from './built-part.ts';
import { browserEnvironment } from './config.ts';
import { hostRelease } from './hosted-release.ts';
import type { Outcome } from './run-release.ts';

/** Runs the command with its own data folder. Disposing of it removes the folder. */
export interface Releaser extends AsyncDisposable {
  /** Temporary folder of a test. */
  readonly directory: string;
  /** Folder of the store, which exists after the first publish. */
  readonly storeDirectory: string;
  run(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** Writes a build and returns its folder. */
  build(part: BuiltPart): Promise<string>;
  /** Writes a build and publishes it. */
  publish(name: PartName, part: BuiltPart): Promise<Outcome>;
}

/** @param call how the command is called: `runRelease` starts a process for it, as a person does */
export async function createReleaser(call = hostRelease): Promise<Releaser> {
  const directory = await mkdtemp(join(tmpdir(), 'releaser-'));
  const data = join(directory, 'data');
  const run: Releaser['run'] = (words, environment = {}) =>
    call(words, { DATA_DIR: data, ...browserEnvironment, ...environment });
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

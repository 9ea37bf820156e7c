import type { PartName } from '@countersign/contracts/remotes';
import type { BuiltPart } from './built-part.ts';
import { browserEnvironment } from './config.ts';
import { runRelease, type Outcome } from './run-release.ts';
import { createTemporaryStore, type TemporaryStore } from './temporary-store.ts';

/** Runs the command with a store of its own. Disposing of it removes the store. */
export interface Releaser extends AsyncDisposable {
  /** The store, for what a test does without the command. */
  readonly site: TemporaryStore;
  run(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** Writes a build and publishes it. */
  publish(name: PartName, part: BuiltPart): Promise<Outcome>;
}

export async function createReleaser(): Promise<Releaser> {
  const site = await createTemporaryStore();
  const run: Releaser['run'] = (words, environment = {}) =>
    runRelease(words, { ...site.environment, ...browserEnvironment, ...environment });
  return {
    site,
    run,
    publish: async (name, part) => run(['publish', name, await site.build(part)]),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

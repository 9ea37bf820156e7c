import { browserEnvironment } from './config.ts';
import { runRelease } from './run-release.ts';
import { createTemporaryStore } from './temporary-store.ts';

export type Releaser = Awaited<ReturnType<typeof createReleaser>>;

/** A directory store without versions, and the command with it. */
export async function createReleaser() {
  const site = await createTemporaryStore();
  return {
    ...site,
    run: (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
      runRelease(words, { ...site.environment, ...browserEnvironment, ...environment }),
  };
}

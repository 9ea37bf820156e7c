/** A process that does what `prune` does a month later. */
import { openContext } from '../commands/command-context.ts';
import { readConfig } from '../config.ts';
import { leastAge, pruneStore } from '../prune-store.ts';
import { runCommand } from '../run-command.ts';

await runCommand(async () => {
  const { store } = openContext(readConfig());
  await pruneStore(store, { now: new Date(Date.now() + leastAge + 60_000), remove: true });
});

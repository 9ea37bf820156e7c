/** Program that runs `prune` with a clock that is a month ahead. */
import { openContext } from '../cli/command-context.ts';
import { readConfig } from '../config.ts';
import { runCommand } from '../platform/run-command.ts';
import { minAge, pruneStore } from '../store/prune-store.ts';

await runCommand(async () => {
  const { store } = openContext(readConfig());
  const now = new Date(Date.now() + minAge + 60_000);
  await pruneStore(store, { now, remove: true, clockIsRight: true });
});

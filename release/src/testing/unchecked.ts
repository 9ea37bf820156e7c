/**
 * Program that runs `promote <part> <version>` without the check, because the parts of most tests do not pass it, or `prune`
 * with a clock that is a month ahead.
 */
import { updateBoard } from '../server/write-board.ts';
import { openContext, parsePart } from '../cli/release-command.ts';
import { readConfig } from '../config.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { runCommand } from '../cli/run-command.ts';
import { minAge, pruneStore } from '../deploy/prune-store.ts';

await runCommand(async () => {
  const [action, part = '', version = ''] = process.argv.slice(2);
  const { store, resolveSiteConfig, config } = openContext(readConfig());
  if (action === 'prune') {
    const now = new Date(Date.now() + minAge + 60_000);
    await pruneStore(store, { now, remove: true, author: { who: config.releaser } });
    return;
  }
  const change = { kind: 'promote', versions: { [parsePart(part)]: version } } as const;
  await deployRelease(store, change, resolveSiteConfig, { who: config.releaser });
  await updateBoard(store, config.ownersFile, console.error);
});

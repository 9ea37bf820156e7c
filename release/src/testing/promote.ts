/**
 * Program that runs `promote <part> <version>` without the check, because the parts of most tests do not pass it.
 */
import { openContext } from '../cli/command-context.ts';
import { parsePart } from '../cli/part-argument.ts';
import { updateBoard } from '../cli/update-board.ts';
import { readConfig } from '../config.ts';
import { deployRelease } from '../deploy/deploy-release.ts';
import { runCommand } from '../platform/run-command.ts';

await runCommand(async () => {
  const [part = '', version = ''] = process.argv.slice(2);
  const { store, resolveSiteConfig, config } = openContext(readConfig());
  const change = { kind: 'promote', versions: { [parsePart(part)]: version } } as const;
  await deployRelease(store, change, resolveSiteConfig, { who: config.releaser });
  await updateBoard({ store, config });
});

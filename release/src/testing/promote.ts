/**
 * A process that does what `promote <part> <version>` does once the check has passed: the versions of the tests are too
 * small to pass it.
 */
import { openContext } from '../commands/command-context.ts';
import { partFrom } from '../commands/part-argument.ts';
import { readConfig } from '../config.ts';
import { flipRelease } from '../flip/flip-release.ts';
import { runCommand } from '../run-command.ts';

await runCommand(async () => {
  const [part = '', version = ''] = process.argv.slice(2);
  const { store, siteAfter, config } = openContext(readConfig());
  const change = { action: 'promote', versions: { [partFrom(part)]: version } } as const;
  await flipRelease(store, change, siteAfter, { who: config.releaser });
});

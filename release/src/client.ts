/** The release command of other repositories, which runs on a release server: `npx release help`. */
import { join } from 'node:path';
import { runRemotely } from './cli/run-remotely.ts';
import { runCommand } from './cli/run-command.ts';
import { readClientConfig } from './release-server/client/config.ts';

await runCommand(() =>
  runRemotely(readClientConfig(), process.argv.slice(2), () => join(process.cwd(), 'dist')),
);

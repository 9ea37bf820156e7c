/** The release command of other repositories, which runs on a release server: `node release.mjs help`. */
import { join } from 'node:path';
import { ignoreOutputErrors } from '@countersign/contracts/program';
import { parseCommand } from './cli/parse-command.ts';
import { runRemotely } from './cli/run-remotely.ts';
import { runMain } from './cli/run-main.ts';
import { readClientConfig } from './release-server/client/config.ts';

ignoreOutputErrors();
await runMain(async () => {
  const words = process.argv.slice(2);
  const call = parseCommand(words, { isServer: true });
  if (call) await runRemotely(readClientConfig(), words, call, () => join(process.cwd(), 'dist'));
});

/** The process of a call that came to the release server: runs the call that its parent sends. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { ProcessInput } from '../release-server/running-calls.ts';

enableCompileCache(join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'release'));
// The call runs to its end, even if the server is gone and nothing reads its output.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// A service manager sends its stop signal to the calls of the server as well. They must end their changes; the server waits for them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const message = new Promise<ProcessInput>((resolve) => {
  process.once('message', (received) => resolve(received as ProcessInput));
});
const { runMain } = await import('./run-main.ts');
const { readConfig } = await import('./config.ts');
const { openContext } = await import('./command-context.ts');
const { parseCommand } = await import('./parse-command.ts');
const { runCall } = await import('./release-program.ts');

await runMain(async () => {
  const { words, releaser, build } = await message;
  process.disconnect();
  const config = { ...readConfig(), releaser };
  const call = parseCommand(words, { isServer: true });
  if (call) await runCall(call, openContext(config, build));
});

/**
 * Program that watches the canary of mf-pricing with the stages 5, 25, 100, without the time that views take to settle:
 * `node watch.ts <metrics> [<percentage>]`. It is killed once it has raised the canary to the percentage.
 */
import { watchCanary } from '../canary/watch-canary.ts';
import { openContext } from '../cli/command-context.ts';
import { readConfig } from '../config.ts';
import { runCommand } from '../platform/run-command.ts';

const [metrics = '', killedAt] = process.argv.slice(2);

await runCommand(async () => {
  const { store, resolveSiteConfig } = openContext(readConfig());
  const { outcome } = await watchCanary(store, resolveSiteConfig, {
    part: 'mf-pricing',
    metrics: [metrics],
    minimumViews: 50,
    stages: [5, 25, 100],
    interval: 1,
    settlingTime: 0,
    timeout: 60_000,
    who: 'a test',
    stopping: new AbortController().signal,
    progress: () => undefined,
    raised(percent) {
      if (percent === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
    },
  });
  console.log(outcome);
});

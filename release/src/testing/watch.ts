/**
 * Program that watches the canary of mf-pricing with the stages 5, 25, 100, without the time that views take to settle:
 * `node watch.ts <metrics> [<percentage>]`. It is killed once it has raised the canary to the percentage.
 */
import { watchCanary } from '../canary/watch-canary.ts';
import { openContext } from '../cli/command-context.ts';
import { readConfig } from '../config.ts';
import { runCommand } from '../platform/run-command.ts';
import { quickWatch } from './quick-watch.ts';

const [metrics = '', killedAt] = process.argv.slice(2);

await runCommand(async () => {
  const { store, resolveSiteConfig } = openContext(readConfig());
  const { outcome } = await watchCanary(store, resolveSiteConfig, {
    ...quickWatch,
    metrics: [metrics],
    stages: [5, 25, 100],
    raised(percent) {
      if (percent === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
    },
  });
  console.log(outcome);
});

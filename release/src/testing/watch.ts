/**
 * Program that watches the canary of mf-pricing with the stages 5, 25, 100:
 * `node watch.ts <url> <token> [<percentage>]`. It is killed once it has raised the canary to the percentage.
 */
import { watchCanary } from '../canary/watch-canary.ts';
import { openContext } from '../cli/release-command.ts';
import { readConfig } from '../config.ts';
import { runCommand } from '../cli/run-command.ts';
import { quickWatch } from './quick-watch.ts';

const [url = '', token = '', killedAt] = process.argv.slice(2);

await runCommand(async () => {
  const { store, resolveSiteConfig } = openContext(readConfig());
  const { outcome } = await watchCanary(store, resolveSiteConfig, {
    ...quickWatch,
    reports: { url, token },
    stages: [5, 25, 100],
    raised(percent) {
      if (percent === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
    },
  });
  console.log(outcome);
});

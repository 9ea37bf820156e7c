/** Installs the other engines, where that is possible without a question. The tests of a missing engine are skipped. */
import { spawnSync } from 'node:child_process';
import { commandsOfEngines, missingCommands, whySkipped, type EngineName } from './engine-commands.ts';

const engines = Object.keys(commandsOfEngines) as EngineName[];
const packages = engines.flatMap(missingCommands).map(({ debianPackage }) => debianPackage);
if (packages.length > 0 && process.getuid?.() === 0) {
  console.log(`engines: installing ${packages.join(', ')} …`);
  for (const words of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    // The search afterwards shows whether it succeeded.
    spawnSync('apt-get', words, { stdio: 'ignore' });
  }
}
for (const engine of engines) {
  const reason = whySkipped(engine);
  if (reason !== undefined) console.log(`Skipped: ${engine}, because ${reason}`);
}

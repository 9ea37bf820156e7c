/** Installs the other engines, where that is possible without a question. The tests of a missing engine are skipped. */
import { spawnSync } from 'node:child_process';
import { engineNames, missingPackages } from './engine-commands.ts';

const packages = engineNames.flatMap(missingPackages);
if (packages.length > 0 && process.getuid?.() === 0) {
  console.log(`engines: installing ${packages.join(', ')} …`);
  for (const words of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    // The search afterwards shows whether it succeeded.
    spawnSync('apt-get', words, { stdio: 'ignore' });
  }
}
for (const engine of engineNames) {
  const missing = missingPackages(engine).join(' ');
  if (missing) console.log(`Skipped: ${engine}. Install it (Debian and Ubuntu: apt-get install ${missing}).`);
}

/**
 * Installs the browsers that the tests of other engines need, where that is possible without asking. The tests of an engine
 * that is still missing afterwards are skipped.
 */
import { spawnSync } from 'node:child_process';
import { engineNames, missingCommands, whySkipped } from './find-command.ts';

// The Chromium of the other tests is found or installed by `ensure-browser.ts`.
const missing = engineNames
  .filter((engine) => engine !== 'chromium')
  .flatMap(missingCommands)
  .map(({ debianPackage }) => debianPackage);

if (missing.length > 0 && process.getuid?.() === 0) {
  for (const words of [['update'], ['install', '--yes', '--no-install-recommends', ...missing]]) {
    console.log(`engines: apt-get ${words.join(' ')} …`);
    spawnSync('apt-get', words, { stdio: 'ignore' });
  }
}
for (const engine of engineNames) {
  const reason = whySkipped(engine);
  if (reason !== undefined) console.log(`engines: ${engine} is skipped: ${reason}`);
}

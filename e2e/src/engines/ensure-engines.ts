/**
 * Installs the browsers that the tests of other engines need, where that is possible without asking. What is still missing
 * afterwards is named by the tests that need it: those in Chromium run all the same.
 */
import { spawnSync } from 'node:child_process';
import { engineCommands, findCommand } from './find-command.ts';

const missing = Object.values(engineCommands)
  .filter((command) => !findCommand(command))
  .map(({ debianPackage }) => debianPackage);

if (missing.length > 0 && process.getuid?.() === 0) {
  for (const words of [['update'], ['install', '--yes', '--no-install-recommends', ...missing]]) {
    console.log(`engines: apt-get ${words.join(' ')} …`);
    spawnSync('apt-get', words, { stdio: 'ignore' });
  }
}

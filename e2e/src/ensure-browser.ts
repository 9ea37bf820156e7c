/** Makes sure that there is a browser to test with. Exit code 1 and what to do, if none can be had. */
import { spawnSync } from 'node:child_process';
import { config } from './config.ts';
import { findBrowser } from './find-browser.ts';

function run(command: string, ...words: readonly string[]): void {
  console.log(`browser: ${command} ${words.join(' ')} …`);
  // Its result shows in what is found afterwards.
  spawnSync(command, words, { stdio: ['ignore', 'ignore', 'ignore'] });
}

const ways = [
  () => run('npx', 'playwright', 'install', '--with-deps', 'chromium'),
  () => {
    if (process.getuid?.() !== 0) return;
    run('apt-get', 'update');
    run('apt-get', 'install', '--yes', '--no-install-recommends', 'chromium');
  },
];

if (config.browserPath && findBrowser() !== config.browserPath) {
  console.error(`BROWSER_PATH names ${config.browserPath}, which is not there. Correct it, or leave it out.`);
  process.exit(1);
}

for (const way of ways) {
  if (findBrowser()) break;
  way();
}

const browser = findBrowser();
if (browser) {
  console.log(`browser: ${browser}`);
} else {
  console.error(
    'There is no Chromium to test with, and none could be installed. Install Chromium or Chrome, or set BROWSER_PATH to one.',
  );
  process.exit(1);
}

/** Makes sure that there is a Chromium to drive. Exit code 1 and what to do, if none can be had. */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { config } from './config.ts';
import { findBrowser } from './find-browser.ts';

function run(command: string, ...words: readonly string[]): void {
  console.log(`browser: ${command} ${words.join(' ')} …`);
  // Its result shows in what is found afterwards.
  spawnSync(command, words, { stdio: ['ignore', 'ignore', 'ignore'] });
}

/** Installs a package of Debian, as root only. */
function installPackage(name: string): void {
  if (process.getuid?.() !== 0) return;
  run('apt-get', 'update');
  run('apt-get', 'install', '--yes', '--no-install-recommends', name);
}

const find = () => findBrowser(config);

if (config.browserPath !== undefined && find() === undefined) {
  console.error(`BROWSER_PATH names ${config.browserPath}, which is not there. Correct it, or leave it out.`);
  process.exit(1);
}

const found = find();
// Debian's Chromium has a package without windows, which is faster. Other browsers stay as they are.
if (config.browserPath === undefined && (found === undefined || basename(found) === 'chromium')) {
  installPackage('chromium-headless-shell');
}
if (!find()) run('npx', 'playwright-core', 'install', '--with-deps', 'chromium');
if (!find()) installPackage('chromium');

const browser = find();
if (browser) {
  console.log(`browser: ${browser}`);
} else {
  console.error(
    'There is no Chromium, and none could be installed. Install Chromium or Chrome, or set BROWSER_PATH to one.',
  );
  process.exit(1);
}

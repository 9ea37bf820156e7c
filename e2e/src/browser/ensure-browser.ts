/**
 * Makes sure that there is a browser to test with, and with `--engines` installs the other engines where that is possible without
 * a question. Without a browser, it prints what to do, with exit code 1. The tests of a missing engine are skipped.
 */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { config } from '../config.ts';
import { commandsOfEngines, missingCommands, whySkipped, type EngineName } from './engine-commands.ts';
import { findBrowser } from './find-browser.ts';

function run(command: string, ...args: readonly string[]): void {
  console.log(`browser: ${command} ${args.join(' ')} …`);
  // The search afterwards shows whether it succeeded.
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'] });
}

/** Installs packages of Debian, as root only. */
function installPackages(...names: readonly string[]): void {
  if (process.getuid?.() !== 0 || names.length === 0) return;
  run('apt-get', 'update');
  run('apt-get', 'install', '--yes', '--no-install-recommends', ...names);
}

if (config.browserPath && findBrowser() !== config.browserPath) {
  console.error(`BROWSER_PATH names ${config.browserPath}, which does not exist. Correct it, or unset it.`);
  process.exit(1);
}

const found = findBrowser();
// Debian's Chromium has a package without windows, which is faster. Other browsers stay as they are.
if (!config.browserPath && (found === undefined || basename(found) === 'chromium')) {
  installPackages('chromium-headless-shell');
}
if (!findBrowser()) run('npx', 'playwright', 'install', '--with-deps', 'chromium');
if (!findBrowser()) installPackages('chromium');

const browser = findBrowser();
if (!browser) {
  console.error(
    'There is no Chromium to test with, and none could be installed. Install Chromium or Chrome, or set BROWSER_PATH to one.',
  );
  process.exit(1);
}
console.log(`browser: ${browser}`);

if (process.argv.includes('--engines')) {
  const engines = Object.keys(commandsOfEngines) as EngineName[];
  installPackages(...engines.flatMap(missingCommands).map(({ debianPackage }) => debianPackage));
  for (const engine of engines) {
    const reason = whySkipped(engine);
    if (reason !== undefined) console.log(`engines: ${engine} is skipped: ${reason}`);
  }
}

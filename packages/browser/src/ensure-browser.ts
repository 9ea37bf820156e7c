/** `npm run browser`: makes sure that there is a Chromium to drive. Exit code 1 and what to do, if none can be had. */
import { spawnSync } from 'node:child_process';
import { config, environmentOfDownloads } from './config.ts';
import { findBrowser } from './find-browser.ts';

/** Seconds after which a server that does not answer counts as absent. */
const connectionLimit = 5;

/** Timeout of a command, in milliseconds. */
const commandTimeout = 600_000;

function run(command: string, ...parameters: readonly string[]): void {
  console.log(`browser: ${command} ${parameters.join(' ')} …`);
  // Its exit code does not matter, because the caller looks for a browser afterwards.
  spawnSync(command, parameters, {
    stdio: 'ignore',
    timeout: commandTimeout,
    env: environmentOfDownloads(connectionLimit),
  });
}

/** Installs a package of Debian. */
function installPackage(name: string): void {
  const limits = [`Acquire::http::Timeout=${connectionLimit}`, 'Acquire::Retries=0'].flatMap((limit) => [
    '--option',
    limit,
  ]);
  run('apt-get', ...limits, 'update');
  run('apt-get', ...limits, 'install', '--yes', '--no-install-recommends', name);
}

/** A file alone is not enough: Ubuntu's `chromium-browser` only says where to get one, and libraries may be missing. */
function findWorkingBrowser(): string | undefined {
  const found = findBrowser(config);
  if (found === undefined) return undefined;
  return spawnSync(found, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0
    ? found
    : undefined;
}

/** Only root may install packages without asking for a password. */
const isRoot = process.getuid?.() === 0;
const installations = [
  // First, because a headless shell is faster than Chromium.
  ...(isRoot ? [() => installPackage('chromium-headless-shell')] : []),
  () => run('npx', 'playwright-core', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'),
  ...(isRoot ? [() => installPackage('chromium')] : []),
];
if (config.browserPath === undefined) {
  for (const install of installations) if (findWorkingBrowser() === undefined) install();
}

const browser = findWorkingBrowser();
if (browser === undefined) {
  console.error(
    config.browserPath === undefined
      ? 'There is no Chromium that starts, and none could be installed. Install Chromium or Chrome (or the libraries that it lacks: sudo npx playwright-core install-deps chromium), or set BROWSER_PATH to one.'
      : `BROWSER_PATH names ${config.browserPath}, which does not start. Correct it, or leave it out.`,
  );
  process.exitCode = 1;
} else console.log(`browser: ${browser}`);

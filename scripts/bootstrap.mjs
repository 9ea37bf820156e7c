// @ts-check
/**
 * Makes sure that what package-lock.json names is installed, and that npm scripts run on the Node.js it names. The npm scripts
 * begin with it, before anything is installed, on whatever Node.js the machine has. Therefore it is plain JavaScript.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (process.platform === 'win32') {
  console.error(
    'This repository needs Linux or macOS. On Windows, clone it into WSL and run the command there.',
  );
  process.exit(1);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
/** Contains the hash of the package-lock.json that was installed completely. */
const stamp = join(modules, '.installed-lock');
const nodeLink = join(modules, '.bin', 'node');
const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

const isStamped = existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash;
// npm may have removed the link, see `linkNode`.
if (isStamped && !existsSync(nodeLink)) linkNode();
// npm ends with 0 if it cannot fetch an optional package, such as that with Node.js.
if (!isStamped || !hasTools() || !hasNode()) {
  console.log('install: fetching the dependencies that package-lock.json names …');
  installDependencies();
  if (!hasTools()) {
    console.error(
      'npm left out packages for development, such as turbo. Remove its setting "omit" and try again.',
    );
    process.exit(1);
  }
  linkNode();
  if (!hasNode()) {
    console.error(
      `No package has Node.js for ${process.platform}-${process.arch}. Install Node.js 24 or newer and try again.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, lockHash);
}

/** Whether npm has installed the packages for development. Settings such as NODE_ENV=production leave them out. */
function hasTools() {
  return existsSync(join(modules, 'turbo'));
}

function hasNode() {
  return existsSync(nodeLink) || Number.parseInt(process.versions.node) >= 24;
}

function installDependencies() {
  // If npm is interrupted, packages are incomplete, also for an older package-lock.json that is checked out again.
  rmSync(stamp, { force: true });
  const npm = spawnSync('npm', ['ci', '--include=dev', '--include=optional', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (npm.status !== 0) {
    console.error('The dependencies could not be installed. Correct what npm reports above and try again.');
    process.exit(1);
  }
}

/**
 * Links Node.js, an optional dependency for each platform, into node_modules/.bin, which is first on the PATH of npm scripts.
 * Before 11.19, npm removes its own link together with the packages for other platforms, because theirs has the same name.
 */
function linkNode() {
  const nodePackages = Object.keys(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies,
  );
  const installed = nodePackages.find((name) => existsSync(join(modules, name)));
  if (!installed) return;
  rmSync(nodeLink, { force: true });
  symlinkSync(join('..', installed, 'bin', 'node'), nodeLink);
  // A binary for another C library is installed as well, but cannot run.
  if (spawnSync(nodeLink, ['--version']).status !== 0) rmSync(nodeLink);
}

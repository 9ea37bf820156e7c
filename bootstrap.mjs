// @ts-check
/**
 * Makes sure that what package-lock.json names is installed. It runs before anything is, on whatever Node the machine
 * has, and is therefore plain JavaScript. `--installed` records an install that npm has just made.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const stamp = join(root, 'node_modules', '.installed-lock');
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (process.argv.includes('--installed')) {
  writeFileSync(stamp, lock);
} else if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.log('install: fetching the dependencies that package-lock.json names …');
  // Not `npm ci`: it refuses a lock file without the optional packages of every other platform. `--no-save` keeps the
  // lock file as it is, so that what it names is what is installed.
  const npm = spawnSync('npm', ['install', '--no-save', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error(
      'The dependencies could not be installed. What npm says stands above; put it right and try again.',
    );
    process.exit(1);
  }
}

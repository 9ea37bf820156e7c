import { spawnSync } from 'node:child_process';

/**
 * Installs a Debian package where this user may, unless its program is there already. Returns whether it is there.
 *
 * @param name of the package, and of its program, which knows `--version`
 */
export function installProgram(name: string): boolean {
  const isThere = () => spawnSync(name, ['--version']).status === 0;
  if (!isThere() && process.getuid?.() === 0) {
    for (const words of [['update'], ['install', '--yes', '--no-install-recommends', name]]) {
      // Its result shows in what is there afterwards.
      spawnSync('apt-get', words);
    }
  }
  return isThere();
}

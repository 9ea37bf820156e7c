import { spawnSync } from 'node:child_process';

/**
 * Installs a Debian package if its program is missing and this user may do so. Returns whether the program exists.
 *
 * @param name name of the package and of its program
 * @param versionOption with which the program ends at once
 */
export function installProgram(name: string, versionOption = '--version'): boolean {
  const isInstalled = () => spawnSync(name, [versionOption]).status === 0;
  if (!isInstalled() && process.getuid?.() === 0) {
    for (const args of [['update'], ['install', '--yes', '--no-install-recommends', name]]) {
      // The exit code is irrelevant, because the function checks the program afterwards.
      spawnSync('apt-get', args);
    }
  }
  return isInstalled();
}

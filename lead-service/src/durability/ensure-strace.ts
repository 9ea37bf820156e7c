import { spawnSync } from 'node:child_process';

function isThere(): boolean {
  return spawnSync('strace', ['--version']).status === 0;
}

/** Makes sure that system calls can be watched: installs `strace` where this user may, and says what to do where not. */
export function ensureStrace(): void {
  if (!isThere() && process.getuid?.() === 0) {
    for (const words of [['update'], ['install', '--yes', '--no-install-recommends', 'strace']]) {
      // Its result shows in what is there afterwards.
      spawnSync('apt-get', words);
    }
  }
  if (!isThere()) {
    throw new Error(
      'There is no strace to watch the disk with, and it could not be installed. Install strace.',
    );
  }
}

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for a service that a test can fill up. */
export interface SmallDisk extends Disposable {
  readonly directory: string;
  /** How this machine limits the space. */
  readonly way: string;
  /** Fills the remaining space. */
  fill(pid: number): void;
  makeRoom(pid: number): void;
}

/** Mounts a small file system if this user may do so, and otherwise limits the file size of the service. */
export function createSmallDisk(): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-disk-'));
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', directory]).status === 0;
  return mounted ? ownFileSystem(directory) : limitedFiles(directory);
}

function ownFileSystem(directory: string): SmallDisk {
  const ballast = join(directory, 'ballast');
  return {
    directory,
    way: 'a file system of 4 MB that is full',
    fill() {
      writeFileSync(ballast, '');
      for (const block of [65_536, 4096, 1]) fillWith(ballast, Buffer.alloc(block));
    },
    makeRoom: () => rmSync(ballast),
    [Symbol.dispose]() {
      execFileSync('umount', [directory]);
      rmSync(directory, { recursive: true });
    },
  };
}

function fillWith(file: string, block: Buffer): void {
  try {
    for (;;) appendFileSync(file, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

function limitedFiles(directory: string): SmallDisk {
  const limit = (pid: number, size: string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:unlimited`]);
  return {
    directory,
    way: 'files that may not grow (RLIMIT_FSIZE)',
    fill: (pid) => void limit(pid, '1'),
    makeRoom: (pid) => void limit(pid, 'unlimited'),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}

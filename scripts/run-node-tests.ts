/**
 * Runs tests with node:test: `node ../scripts/run-node-tests.ts [--long] [--in-turn] [<file> …]`. Without files it runs all of the
 * folder, except those that take long (`*.long.test.ts`), and with `--long` only these. With `--in-turn` it runs one file at a time.
 * Every test has a time limit, and so has the run, because a test that fails may leave something open that keeps its process alive.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';

const { values, positionals } = readArguments(
  'node ../scripts/run-node-tests.ts [--long] [--in-turn] [<file> …]',
  [0, Infinity],
  { long: { type: 'boolean', default: false }, 'in-turn': { type: 'boolean', default: false } },
);

/** Milliseconds after which a test or suite has failed. Generous, because tests with many kills take minutes on a busy machine. */
const timeLimit = values.long ? 1_200_000 : 120_000;

/** Minutes after which a run ends, and names what has not. */
const runLimit = values.long ? 90 : 30;

/** Shared by all test processes, because compiling the imports takes longer than most tests. */
const compileCache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compile');

const memoryDisk = '/dev/shm';
/** Bytes. More than the temporary files of all tests. */
const requiredSpace = 2 ** 31;

/** A folder in memory where there is one, because a sync to disk takes longer than most steps of a test. */
function temporaryFolder(): string {
  if (!existsSync(memoryDisk)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize > requiredSpace ? memoryDisk : tmpdir();
}

/** The caller's variables take precedence, without those of a Git hook, because tests commit to repositories of their own. */
const environment = Object.fromEntries(
  Object.entries({ NODE_COMPILE_CACHE: compileCache, TMPDIR: temporaryFolder(), ...process.env }).filter(
    ([name]) => !name.startsWith('GIT_'),
  ),
);

const files =
  positionals.length > 0
    ? positionals
    : globSync('src/**/*.test.ts').filter((file) => file.endsWith('.long.test.ts') === values.long);
if (files.length === 0) throw new Error(`No test file is in ${process.cwd()}/src.`);

const { status, error } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-timeout=${timeLimit}`,
    // Most tests wait most of the time, for processes, disks and networks.
    `--test-concurrency=${values['in-turn'] ? 1 : 3}`,
    '--test-reporter=spec',
    ...files,
  ],
  { stdio: 'inherit', env: environment, timeout: runLimit * 60_000 },
);
if (error) console.error(`The tests of ${process.cwd()} did not end within ${runLimit} minutes.`);
process.exitCode = status ?? 1;

/**
 * Runs tests with node:test: `node ../run-node-tests.ts "src/**\/*.test.ts"`. Every test has a time limit, and how long
 * each took is kept for the list of the slowest files.
 */
import { spawnSync } from 'node:child_process';

/** Milliseconds after which a test or suite has failed. Generous, because a busy machine takes minutes for fifty kills. */
const timeLimit = 600_000;

const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-timeout=${timeLimit}`,
    // Most tests wait most of the time, for processes, disks and networks.
    '--test-concurrency=2',
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=junit', '--test-reporter-destination=test-results.xml'],
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;

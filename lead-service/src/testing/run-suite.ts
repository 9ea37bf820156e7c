/**
 * Runs tests with the arguments of `scripts/run-node-tests.ts`. Then searches the logs of all services for personal data, and fails if it
 * finds any.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suiteEnvironment } from './config.ts';
import { personalLines, testInputs } from './personal-lines.ts';

const runNodeTests = join(import.meta.dirname, '..', '..', '..', 'scripts', 'run-node-tests.ts');
using folder = mkdtempDisposableSync(join(tmpdir(), 'lead-service-log-'));
const logFile = join(folder.path, 'log');
const { status } = spawnSync(process.execPath, [runNodeTests, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: suiteEnvironment(logFile),
});
const found = personalLines(logFile, testInputs(join(import.meta.dirname, '..')));
for (const line of found) console.error(`personal data in the log: ${line}`);
process.exitCode = status === 0 && found.length > 0 ? 1 : (status ?? 1);

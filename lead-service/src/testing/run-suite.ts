/**
 * Runs all tests, and then looks through everything that services have logged in them: nothing that a visitor typed may
 * be there. Names of test files choose fewer.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suiteEnvironment } from './config.ts';
import { personalLines } from './personal-lines.ts';
import { typedTexts } from './typed-texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'lead-service-log-'));
const logFile = join(folder, 'log');
const chosen = process.argv.slice(2);
const files = chosen.length > 0 ? chosen : ['src/**/*.test.ts'];
try {
  // Most tests wait most of the time, for processes, disks and networks.
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=2', ...files], {
    stdio: 'inherit',
    env: suiteEnvironment(logFile),
  });
  const found = personalLines(logFile, typedTexts(join(import.meta.dirname, '..')));
  for (const line of found) console.error(`personal data in the log: ${line}`);
  process.exitCode = status === 0 && found.length > 0 ? 1 : (status ?? 1);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Runs tests with the arguments of `scripts/run-node-tests.ts`. Then searches the logs of all services for personal data, and fails if it
 * finds any.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suiteEnvironment } from './config.ts';

/** Any e-mail address. Excludes matches after a slash, which are package paths in stack traces. */
const emailAddress = /(?<![/\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/i;

const sources = ['**/*.test.ts', '**/testing/*.ts'];
/** Matches `name: '…'`. Of a template literal, it matches the text before the first placeholder. */
const field = /\b(?:name|company|message): (?:'([^'\\\n]+)|"([^"\\\n]+)|`([^`$\\\n]+))/g;

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

/** Log lines that contain one of the texts (case-insensitive) or an e-mail address. Throws if there is no log. */
function personalLines(logFile: string, inputs: Iterable<string>): string[] {
  if (!existsSync(logFile)) throw new Error('The tests have logged nothing, so there is nothing to search.');
  const texts = [...inputs].map((text) => text.toLowerCase());
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => emailAddress.test(line) || texts.some((text) => line.toLowerCase().includes(text)));
}

/**
 * Names, companies and messages that the tests in a folder send, extracted from their sources. Ignores single words,
 * because a log may contain them for other reasons.
 */
function testInputs(folder: string): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const file of globSync(sources, { cwd: folder })) {
    for (const [, ...quotes] of readFileSync(join(folder, file), 'utf8').matchAll(field)) {
      const text = quotes.find((quote) => quote !== undefined)?.trim() ?? '';
      if (text.includes(' ')) texts.add(text);
    }
  }
  return texts;
}

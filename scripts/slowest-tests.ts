/** Prints the ten slowest test files of the last run, from what the runners keep in the folders of the project. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Seconds that the tests of a file took. */
type Durations = Map<string, number>;

interface JestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

interface PlaywrightSuite {
  readonly file: string;
  readonly specs: readonly {
    readonly tests: readonly { readonly results: readonly { duration: number }[] }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightResults {
  readonly config: { readonly rootDir: string };
  readonly suites: readonly PlaywrightSuite[];
}

function add(durations: Durations, file: string, seconds: number): void {
  const path = relative(root, file);
  durations.set(path, (durations.get(path) ?? 0) + seconds);
}

function addNodeTests(durations: Durations, report: string): void {
  for (const [testCase] of report.matchAll(/<testcase .*?>/g)) {
    const [, seconds] = /\btime="([\d.]+)"/.exec(testCase) ?? [];
    const [, file] = /\bfile="([^"]+)"/.exec(testCase) ?? [];
    if (file !== undefined) add(durations, file, Number(seconds));
  }
}

function addPlaywrightTests(durations: Durations, rootDir: string, suites: readonly PlaywrightSuite[]): void {
  for (const { file, specs, suites: inner = [] } of suites) {
    const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
    for (const { duration } of results) add(durations, join(rootDir, file), duration / 1000);
    addPlaywrightTests(durations, rootDir, inner);
  }
}

const durations: Durations = new Map();
for (const file of globSync('{*,packages/*}/test-results.{xml,json}', { cwd: root })) {
  const report = readFileSync(join(root, file), 'utf8');
  if (file.endsWith('.xml')) {
    addNodeTests(durations, report);
    continue;
  }
  const results = JSON.parse(report) as JestResults | PlaywrightResults;
  if ('suites' in results) addPlaywrightTests(durations, results.config.rootDir, results.suites);
  else
    for (const { name, startTime, endTime } of results.testResults)
      add(durations, name, (endTime - startTime) / 1000);
}

console.log('The slowest test files (seconds that their tests took):');
for (const [file, seconds] of [...durations].sort(([, one], [, other]) => other - one).slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}

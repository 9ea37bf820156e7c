import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

const sources = globSync(
  ['{bench,blind-spots,e2e,lead-service,release}/src/**/*.ts', 'scripts/**/*.ts', 'packages/*/src/**/*.ts'],
  {
    cwd: root,
    exclude: ['**/*.test.ts', '**/testing/**'],
  },
);
const readsArguments = /^(?!export).*\breadArguments\(|\bprocess\.argv\b|\.parseAsync\(\)/m;
/** They read arguments for others: the function itself; the client, whose arguments the server parses; a list of folders for lint. */
const others = /program\/arguments\.ts$|release\/src\/client\.ts$|check-stylesheets\.ts$/;
const programs = sources.filter(
  (file) => !others.test(file) && readsArguments.test(readFileSync(join(root, file), 'utf8')),
);

test('programs: those of every folder are found', () =>
  assert.ok(programs.length >= 15, programs.join('\n')));

for (const program of programs) {
  for (const [argument, expected] of [
    ['--help', 0],
    ['--wrong', 2],
  ] as const) {
    test(`${program} ${argument}: is answered with a sentence`, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, argument], {
        cwd: root,
        encoding: 'utf8',
      });
      const output = stdout + stderr;
      assert.equal(status, expected, output);
      assert.match(output, expected === 0 ? /^Usage: /m : /--wrong/);
      assert.doesNotMatch(output, /^ +at /m);
    });
  }
}

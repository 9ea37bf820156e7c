import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { isLoopbackHost } from './program.ts';

for (const [host, expected] of [
  ['localhost', true],
  ['LOCALHOST:3003', true],
  ['127.0.0.1:3003', true],
  ['127.1.2.3', true],
  ['[::1]:3003', true],
  [undefined, false],
  ['', false],
  ['evil@localhost', false],
  ['localhost@evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['evil.example:3003', false],
  ['localhost:3003/x', false],
  ['0.0.0.0', false],
] as const) {
  test(`loopback host: "${host}" is ${expected ? 'one' : 'not one'}`, () => {
    assert.equal(isLoopbackHost(host), expected);
  });
}

/** Writes to both streams, and exits with 0 if it still runs 40 lines after the end of its input. */
const program = `
  import { ignoreOutputErrors } from ${JSON.stringify(import.meta.resolve('./program.ts'))};
  ignoreOutputErrors();
  let left = Infinity;
  process.stdin.resume().on('end', () => (left = 40));
  setInterval(() => {
    console.log('line');
    process.stderr.write('line\\n');
    if (--left < 0) process.exit(0);
  }, 5);`;

test(
  'output: a program goes on when the readers of stdout and stderr have gone',
  { timeout: 30_000 },
  async (t) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    t.after(() => child.kill());
    const exited = once(child, 'exit');
    await Promise.all([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin.end();
    assert.deepEqual(await exited, [0, null]);
  },
);

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { fittingRemote, fittingShell } from '../testing/fitting-part.ts';
import { createReleaser, type Releaser } from '../testing/releaser.ts';

let releaser: Releaser;
beforeEach(async () => {
  releaser = await createReleaser();
  await releaser.publish('shell', fittingShell('1.0.0'));
  await releaser.publish('mf-pricing', fittingRemote('mf-pricing', '1.0.0'));
  await run('promote', 'shell', '1.0.0');
  assert.equal((await run('promote', 'mf-pricing', '1.0.0')).code, 0);
});
afterEach(() => releaser[Symbol.asyncDispose]());

const run = (...words: string[]) => releaser.run(words);

const lost = fittingRemote('mf-pricing', '1.1.0', { exposes: ['./plans'] });
const sentence =
  "mf-pricing 1.1.0 no longer exposes ./first, which 1.0.0 does. It has ./plans instead: was it renamed? Expose it again, or have the shell's team take it off the page first.";

test('check says what speaks against a version and ends with exit code 1; what is live stays', async () => {
  await releaser.publish('mf-pricing', lost);
  const { code, stdout, stderr } = await run('check', 'mf-pricing', '1.1.0');
  assert.equal(code, 1);
  assert.equal(stdout, `${sentence}\nmf-pricing 1.1.0 cannot be promoted: 1 finding\n`);
  assert.match(stderr, /^checking exposed-keys …\n.*\nchecking rendered-page …\n$/s);

  const machine = await run('check', 'mf-pricing', '1.1.0', '--json');
  assert.deepEqual(JSON.parse(machine.stdout), {
    part: 'mf-pricing',
    version: '1.1.0',
    findings: [{ rule: 'exposed-keys', part: 'mf-pricing', sentence }],
  });
});

for (const words of [['promote'], ['canary', '--percent', '5']]) {
  test(`${words[0]} refuses what the check has something against`, async () => {
    await releaser.publish('mf-pricing', lost);
    const [action = '', ...options] = words;
    const before = await run('status');
    const refused = await run(action, 'mf-pricing', '1.1.0', ...options);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    // Before it, it may say that it takes a moment.
    assert(refused.stderr.endsWith(`${sentence}\n`), refused.stderr);
    assert.deepEqual(await run('status'), before);
  });
}

test('a promotion can be forced with a reason, and the log says what was forced', async () => {
  await releaser.publish('mf-pricing', lost);
  const unexplained = await run('promote', 'mf-pricing', '1.1.0', '--force');
  assert.deepEqual(unexplained, {
    code: 2,
    stdout: '',
    stderr: '--force needs a reason. Give it with --why "…".\n',
  });
  assert.equal((await run('promote', 'mf-pricing', '1.1.0', '--force', '--why', 'the page is down')).code, 0);
  const { why, forced } = JSON.parse((await run('history', '--json')).stdout).at(-1);
  assert.equal(why, 'the page is down');
  assert.deepEqual(forced, [sentence, 'Whether it fits the contract and renders was not looked at.']);
});

test('a promise that breaks in the page does not break the check off', async () => {
  const entry = `window['mf-pricing@1.1.0'] = () => { Promise.reject(new Error('later')); return 'Prices'; };`;
  await releaser.publish(
    'mf-pricing',
    fittingRemote('mf-pricing', '1.1.0', { extra: { 'entry.js': entry } }),
  );
  const { code, stdout } = await run('check', 'mf-pricing', '1.1.0');
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'mf-pricing 1.1.0 can be promoted\n' });
});

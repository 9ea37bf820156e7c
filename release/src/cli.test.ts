import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { builtRemote, builtShell, writeBuiltPart, type BuiltPart } from './testing/built-part.ts';
import { runRelease, type Outcome } from './testing/run-release.ts';

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'release-cli-'))));
afterEach(() => rm(directory, { recursive: true }));

/** Runs the command with a data folder of its own. */
const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  runRelease(words, { DATA_DIR: join(directory, 'data'), ...environment });

/** Writes a build and returns its folder. */
async function build(part: BuiltPart): Promise<string> {
  const folder = await mkdtemp(join(directory, 'built-'));
  await writeBuiltPart(folder, part);
  return folder;
}

const says = (stdout: string): Outcome => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
const refuses = (stderr: string): Outcome => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const misunderstands = (stderr: string): Outcome => ({ code: 2, stdout: '', stderr: `${stderr}\n` });

for (const words of [[], ['help']]) {
  test(`"${words.join(' ')}" explains every command and names every part`, async () => {
    const { code, stdout, stderr } = await run(words);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const command of [
      'publish <part> [folder]',
      'promote <part> <version>',
      'canary <part> <version>',
      'rollback <part> [version]',
      'status',
      'history',
      'verify',
      'prune',
      'serve',
      'DATA_DIR',
      'STORE_URL',
    ]) {
      assert(stdout.includes(command), command);
    }
    assert(stdout.includes(`Parts: ${partNames.join(', ')}`));
  });
}

test('a part is published, promoted and shown as live, with the version before it', async () => {
  assert.deepEqual(
    await run(['publish', 'shell', await build(builtShell('1.0.0'))]),
    says('shell 1.0.0: stored'),
  );
  for (const version of ['2.0.0', '2.1.0']) {
    const folder = await build(builtRemote('mf-pricing', version));
    assert.deepEqual(await run(['publish', 'mf-pricing', folder]), says(`mf-pricing ${version}: stored`));
    assert.deepEqual(await run(['publish', 'mf-pricing', folder]), says(`mf-pricing ${version}: unchanged`));
  }
  assert.match(
    (await run(['promote', 'shell', '1.0.0'])).stdout,
    /^shell 1\.0\.0 is live in release r-[0-9a-f]{12}\n$/,
  );
  await run(['promote', 'mf-pricing', '2.0.0']);
  const { stdout } = await run(['promote', 'mf-pricing', '2.1.0']);
  const [releaseId] = /r-[0-9a-f]{12}/.exec(stdout) ?? [];
  const status = await run(['status']);
  assert.match(status.stdout, new RegExp(`^release ${releaseId}, since \\S+Z by \\S+\n`));
  assert.deepEqual(status.stdout.split('\n').slice(1), [
    'part        live   before  canary',
    'shell       1.0.0  -       -',
    'mf-pricing  2.1.0  2.0.0   -',
    '',
  ]);
  assert.deepEqual(await readdir(join(directory, 'data')), ['site']);
});

describe('a call that is not understood does nothing, says what is missing, and ends with exit code 2:', () => {
  const parts = partNames.join(', ');
  for (const [words, sentence] of [
    [['deploy'], 'There is no command "deploy". "npm run release -- help" lists them.'],
    [['publish'], `Say which part: ${parts}.`],
    [['promote'], `Say which part: ${parts}.`],
    [['promote', 'mf-unknown', '1.0.0'], `"mf-unknown" is no part. Say which: ${parts}.`],
    [['promote', 'shell'], 'Say which version. "--help" after the command shows how it is called.'],
    [
      ['canary', 'mf-pricing', '1.0.0'],
      'Required option \'--percent <number>\' not specified. "--help" after the command shows how it is called.',
    ],
    [
      ['canary', 'mf-pricing', '1.0.0', '--percent', '101'],
      '--percent must be a number from 0 to 100, but is "101".',
    ],
    [['history', '--most', 'all'], '--most must be a number from 1, but is "all".'],
  ] as const) {
    test(words.join(' '), async () => assert.deepEqual(await run(words), misunderstands(sentence)));
  }
});

describe('what a person can put right is said without a stack, with exit code 1:', () => {
  test('a version that is not published', async () => {
    assert.deepEqual(
      await run(['promote', 'shell', '1.0.0']),
      refuses('shell 1.0.0 is not published. Publish it, then promote it.'),
    );
  });

  test('a folder without a build', async () => {
    assert.deepEqual(
      await run(['publish', 'shell', directory]),
      refuses(`${directory} holds no build (no part.json). Build the part first.`),
    );
  });

  test('a folder that holds another part', async () => {
    const folder = await build(builtRemote('mf-pricing', '1.0.0'));
    assert.deepEqual(
      await run(['publish', 'mf-header', folder]),
      refuses('The folder holds mf-pricing, not mf-header. Name the part that it holds.'),
    );
    const published = await run(['publish', 'mf-pricing', folder]);
    assert.match(
      JSON.stringify(published),
      /mf-pricing 1\.0\.0: stored/,
      'the refused publish stored nothing',
    );
  });

  test('other content under a version that is published', async () => {
    await run(['publish', 'shell', await build(builtShell('1.0.0'))]);
    const changed = await build(builtShell('1.0.0', { 'shell.js': 'changed' }));
    assert.deepEqual(
      await run(['publish', 'shell', changed]),
      refuses(
        'shell 1.0.0 is published already, with other content. Raise the version in shell/package.json and build again.',
      ),
    );
  });

  test('the status before anything is live', async () => {
    assert.deepEqual(
      await run(['status']),
      refuses('Nothing is live yet. Run npm start, or publish and promote every part.'),
    );
  });

  test('a version that leads to another folder', async () => {
    await run(['publish', 'shell', await build(builtShell('1.0.0'))]);
    await run(['promote', 'shell', '1.0.0']);
    await run(['publish', 'mf-header', await build(builtRemote('mf-header', '1.0.0'))]);
    assert.deepEqual(
      await run(['promote', 'mf-pricing', '../mf-header/1.0.0']),
      refuses('"../mf-header/1.0.0" is no version. Name one such as 1.2.3 or 1.2.3-rc.1.'),
    );
  });

  test('a live.json that is damaged', async () => {
    const path = join(directory, 'data', 'site', 'live.json');
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, '{');
    assert.deepEqual(
      await run(['status']),
      refuses(
        `live.json in ${join(directory, 'data', 'site')} is damaged. Put a copy of it back, or release into a new store.`,
      ),
    );
  });

  test('settings that are wrong', async () => {
    assert.deepEqual(
      await run(['status'], { PORT: 'http', DEFAULT_THEME: 'dark' }),
      refuses('PORT must be a port number from 0 to 65535. DEFAULT_THEME must be "system" or "light".'),
    );
  });
});

test('what nobody foresaw keeps its stack, for whoever looks into it', async () => {
  await mkdir(join(directory, 'data', 'site', 'live.json'), { recursive: true });
  const { code, stderr } = await run(['status']);
  assert.equal(code, 1);
  assert.match(stderr, /EISDIR[^]*\n +at .*directory-store\.ts/);
});

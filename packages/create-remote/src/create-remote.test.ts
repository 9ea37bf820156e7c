import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const project = join(import.meta.dirname, '..', '..', '..');
const program = join(import.meta.dirname, 'create-remote.ts');

/** A folder with the files that name remotes. */
async function createProject() {
  const folder = await mkdtemp(join(tmpdir(), 'create-remote-'));
  for (const file of [
    '.prettierrc.json',
    'README.md',
    'packages/contracts/src/page/remotes.ts',
    'release/owners.json',
    'shell/src/page/landing-page-slots.ts',
  ]) {
    await cp(join(project, file), join(folder, file), { recursive: true });
  }
  const start = (words: readonly string[]) =>
    new Promise<{ readonly code: number; readonly stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [program, ...words], { cwd: folder, timeout: 120_000 }, () => {
        resolve({ code: child.exitCode ?? 1, stderr: errors });
      });
      let errors = '';
      child.stderr?.on('data', (data: string) => (errors += data));
    });
  return {
    folder,
    read: (file: string) => readFile(join(folder, file), 'utf8'),
    run: (...words: readonly string[]) => start([...words, '--no-install']),
    runWithInstall: (...words: readonly string[]) => start(words),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

test('create: contract, slot, owners and map name the new remote', async () => {
  await using created = await createProject();
  const words = ['mf-common-questions', '--after', 'mf-pricing/pricing', '--owners', 'anna, ben'];
  assert.deepEqual(await created.run(...words), { code: 0, stderr: '' });

  const contract = await created.read('packages/contracts/src/page/remotes.ts');
  assert.match(contract, /'mf-common-questions': \{\s+'\.\/common-questions': SlotModule;\s+\};\s+\}/);
  assert.match(contract, /remoteNames = \[[^\]]*,\s+'mf-common-questions',?\s*\] as const/);
  assert.match(
    await created.read('shell/src/page/landing-page-slots.ts'),
    /'\.\/pricing' \},\n {4}\{ remote: 'mf-common-questions', exposed: '\.\/common-questions' \},\n/,
  );
  assert.deepEqual(JSON.parse(await created.read('release/owners.json'))['mf-common-questions'], [
    'anna',
    'ben',
  ]);
  const readme = await created.read('README.md');
  assert.match(
    readme,
    /\| `mf-pricing` +\| `\.\/pricing` +\|\n\| Common Questions +\| `mf-common-questions` +\|/,
  );
  assert.match(readme, /\[`mf-common-questions\/`\]\(mf-common-questions\/README\.md\)/);
  assert.match(
    await created.read('mf-common-questions/src/common-questions.tsx'),
    /function CommonQuestions/,
  );
});

test('create: by default the slot is the last one of <main>, twice as well', async () => {
  await using created = await createProject();
  for (const name of ['mf-first-of-several-remotes', 'mf-second'])
    assert.equal((await created.run(name)).code, 0);
  assert.match(
    await created.read('shell/src/page/landing-page-slots.ts'),
    /exposed: '\.\/first-of-several-remotes' \},\n.*exposed: '\.\/second' \},\n {2}\],\n {2}footer/,
  );
  assert.equal(
    await created.read('release/owners.json'),
    await readFile(join(project, 'release/owners.json'), 'utf8'),
  );
});

for (const [words, message] of [
  [['mf-pricing'], /mf-pricing exists already/],
  [['pricing'], /must begin with "mf-"/],
  [['mf-a/../../b'], /must begin with "mf-"/],
  [['mf-faq', '--after', 'mf-pricing/plans'], /no slot mf-pricing\/plans\. Its slots are in shell\//],
  [['mf-faq', '--after', 'pricing'], /must be a remote and its key/],
  [['mf-faq', '--owners', ','], /must be names separated by commas/],
  [[], /missing required argument/],
] as const) {
  test(`create: "${words.join(' ')}" is refused, and changes nothing`, async () => {
    await using created = await createProject();
    const before = await readdir(created.folder, { recursive: true });
    const { code, stderr } = await created.run(...words);
    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.deepEqual(await readdir(created.folder, { recursive: true }), before);
  });
}

const slots = 'shell/src/page/landing-page-slots.ts';
const pricing = "{ remote: 'mf-pricing', exposed: './pricing' },";

for (const [what, file, change, message] of [
  [
    'a contract that was rewritten by hand',
    'packages/contracts/src/page/remotes.ts',
    () => 'export const names = [];\n',
    /remotes\.ts has no interface RemoteModules\. Nothing was changed\.$/,
  ],
  [
    'a merge conflict',
    slots,
    (text: string) => text.replace(pricing, `<<<<<<< ours\n${pricing}\n=======\n>>>>>>> theirs`),
    /^create: shell\/.* cannot be changed: Expression expected\. .* Nothing was changed\.$/,
  ],
  [
    'a list of owners that is no JSON',
    'release/owners.json',
    () => '{ "*": ',
    /^create: release\/owners\.json cannot be changed: .* Nothing was changed\.$/,
  ],
] as const) {
  test(`create: ${what} is reported in one line, and nothing is changed`, async () => {
    await using created = await createProject();
    await writeFile(join(created.folder, file), change(await created.read(file)));
    const { code, stderr } = await created.run('mf-faq', '--owners', 'anna');
    assert.equal(code, 1);
    assert.match(stderr.trim(), message);
    assert.ok(!(await readdir(created.folder)).includes('mf-faq'));
  });
}

test('create: a failure of npm is reported with the command to run again', async () => {
  await using created = await createProject();
  await writeFile(join(created.folder, 'package.json'), '{');
  const { code, stderr } = await created.runWithInstall('mf-faq');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /create: "npm install --package-lock-only --ignore-scripts --loglevel=error" failed\. The files are written/,
  );
  assert.doesNotMatch(stderr, / {4}at /);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const project = join(import.meta.dirname, '..', '..', '..');
const contracts = 'packages/contracts/package.json';
const contract = 'packages/contracts/src/page/remotes.ts';
const slots = 'shell/src/page/landing-page-slots.ts';
const endToEndTests = 'e2e/package.json';

interface Package {
  readonly scripts: Readonly<Record<string, string>>;
}
/** A remote whose tasks a new one has as well. */
const pricing = JSON.parse(await readFile(join(project, 'mf-pricing/package.json'), 'utf8')) as Package;

/** Runs the command in a folder with the files that name remotes. */
async function create(...words: readonly string[]) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'create-remote-'));
  for (const file of [
    '.prettierrc.json',
    'mf-pricing/remote.ts',
    contracts,
    contract,
    slots,
    endToEndTests,
  ]) {
    await cp(join(project, file), join(folder.path, file), { recursive: true });
  }
  const before = await readdir(folder.path, { recursive: true });
  const program = join(import.meta.dirname, 'create-remote.ts');
  const options = { cwd: folder.path, encoding: 'utf8', timeout: 120_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, [program, ...words, '--no-install'], options);
  return {
    status,
    stderr,
    read: (file: string) => readFile(join(folder.path, file), 'utf8'),
    newFiles: async () =>
      (await readdir(folder.path, { recursive: true })).filter((file) => !before.includes(file)),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

for (const [words, line] of [
  [['--after', 'mf-pricing/pricing'], /'\.\/pricing' \},\n {4}\{ remote: 'mf-common-questions', .*/],
  [[], /\n {4}\{ remote: 'mf-common-questions', exposed: '\.\/common-questions' \},\n {2}\],\n {2}footer/],
] as const) {
  test(`create ${words.join(' ')}: the contract, the slots and a folder name the new remote`, async () => {
    await using created = await create('mf-common-questions', ...words);
    assert.deepEqual({ status: created.status, stderr: created.stderr }, { status: 0, stderr: '' });
    const text = await created.read(contract);
    assert.match(text, /'mf-common-questions': \{\s+'\.\/common-questions': SlotModule;\s+\};\s+\}/);
    assert.match(text, /remoteNames = \[[^\]]*,\s+'mf-common-questions',?\s*\] as const/);
    assert.match(await created.read(slots), line);
    assert.match(await created.read(endToEndTests), /"mf-common-questions": "1\.0\.0",\n/);
    const { scripts } = JSON.parse(await created.read('mf-common-questions/package.json')) as Package;
    assert.deepEqual(scripts, pricing.scripts);
    const component = await created.read('mf-common-questions/src/common-questions.tsx');
    assert.match(component, /function CommonQuestions/);
  });
}

for (const [words, message, exitCode = 1] of [
  [['mf-pricing'], /mf-pricing exists already/],
  [['mf-a/../../b'], /must be "mf-"/],
  [
    ['mf-faq2', '--after', 'mf-pricing/plans'],
    /has nothing like \{ remote: 'mf-pricing', exposed: '\.\/plans'/,
  ],
  [[], /An argument is missing\.\nUsage: npm run create/, 2],
] as const) {
  test(`create: "${words.join(' ')}" is refused, and changes nothing`, async () => {
    await using created = await create(...words);
    assert.equal(created.status, exitCode);
    assert.match(created.stderr, message);
    assert.deepEqual(await created.newFiles(), []);
  });
}

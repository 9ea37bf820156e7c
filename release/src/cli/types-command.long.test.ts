import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import typescript from 'typescript';
import { builtRemote } from '../testing/built-part.ts';
import { compatibleRemote, compatibleShell } from '../testing/compatible-part.ts';
import { hostRelease } from '../testing/hosted-release.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, succeedsWith } from '../testing/run-release.ts';
import { storeKinds } from '../testing/temporary-store.ts';

/** Lines of a module with type errors, from 1. The module uses the declarations in a folder. */
function linesWithErrors(folder: string, lines: readonly string[]): readonly number[] {
  const file = join(folder, 'host.tsx');
  writeFileSync(file, ['/// <reference path="./mf-pricing.d.ts" />', ...lines].join('\n'));
  const react = dirname(createRequire(import.meta.url).resolve('@types/react/package.json'));
  const program = typescript.createProgram([file], {
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: true,
    target: typescript.ScriptTarget.ES2023,
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    jsx: typescript.JsxEmit.ReactJSX,
    paths: { react: [react], 'react/jsx-runtime': [join(react, 'jsx-runtime')] },
  });
  return typescript
    .getPreEmitDiagnostics(program)
    .map(({ file: at, start = 0 }) => at?.getLineAndCharacterOfPosition(start).line ?? 0);
}

for (const [kind, createStore] of Object.entries(storeKinds)) {
  test(`types: writes the declarations of the live or a given version in a ${kind}`, async () => {
    await using site = await createStore();
    const { store, environment } = site;
    const props = '{ readonly plan: string }';
    await site.publish(
      compatibleShell('1.0.0'),
      compatibleRemote('mf-pricing', '1.0.0'),
      compatibleRemote('mf-pricing', '1.1.0', { props }),
    );
    await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });

    const out = join(site.root, 'types');
    const run = (...words: readonly string[]) => hostRelease(['types', ...words, '--out', out], environment);
    assert.deepEqual(await run('shell'), succeedsWith(`shell 1.0.0: 1 file in ${out}`));
    assert.deepEqual(await run('mf-pricing'), succeedsWith(`mf-pricing 1.0.0: 2 files in ${out}`));
    const files = ['contract/remotes.d.ts', 'mf-pricing.d.ts'];
    const { stdout } = await run('mf-pricing', '1.1.0', '--json');
    assert.deepEqual(JSON.parse(stdout), { part: 'mf-pricing', version: '1.1.0', folder: out, files });
    assert.equal(
      await readFile(join(out, 'contract/remotes.d.ts'), 'utf8'),
      await store.readFile('mf-pricing', '1.1.0', 'contract/remotes.d.ts'),
    );
    const lines = [
      "import First from 'mf-pricing/first';",
      'export const right = <First plan="Free" />;',
      'export const wrong = <First plan={1} />;',
    ];
    assert.deepEqual(linesWithErrors(out, lines), [lines.length]);
  });
}

test('types: errors say what to do, and nothing is written', async () => {
  await using releaser = await createReleaser();
  const notLive = 'mf-pricing is not live. Publish it first.';
  assert.deepEqual(await releaser.run(['types', 'mf-pricing']), failsWith(notLive));
  await releaser.publish('mf-pricing', builtRemote('mf-pricing', '1.0.0'));
  await releaser.publish('mf-pricing', compatibleRemote('mf-pricing', '1.1.0'));
  const file = await releaser.build({ taken: '' });
  for (const [words, outcome] of [
    [[], failsWith('mf-pricing is not live. Name one of its published versions: 1.0.0, 1.1.0.')],
    [
      ['9.9.9'],
      failsWith('mf-pricing 9.9.9 is not published. Name one of its published versions: 1.0.0, 1.1.0.'),
    ],
    [['../1.0.0'], failsWith('Invalid version "../1.0.0". Use one such as 1.2.3 or 1.2.3-rc.1.')],
    [
      ['1.0.0'],
      failsWith(
        'mf-pricing 1.0.0 carries no declarations. Build it with packages/webpack-config, and publish it under a new version.',
      ),
    ],
    [
      ['1.1.0', '--out', join(file, 'taken')],
      failsWith(
        `${join(file, 'taken')} cannot be written: ENOTDIR: not a directory, mkdir '${join(file, 'taken', 'contract')}'. Name another folder with --out.`,
      ),
    ],
  ] as const) {
    assert.deepEqual(await releaser.run(['types', 'mf-pricing', ...words]), outcome);
  }
});

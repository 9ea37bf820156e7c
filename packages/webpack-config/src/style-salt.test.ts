import assert from 'node:assert/strict';
import { mkdtempDisposable, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { styleSalt } from './style-salt.ts';

test('style salt: changes with a stylesheet of the part or of a dependency, and with nothing else', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'style-salt-'));
  const write = async (file: string, text: string) => {
    const path = join(folder.path, file);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  };
  await write('package.json', '{ "dependencies": { "tooltip": "1.0.0" } }');
  await write('src/plan.module.css', '.plan { color: red }');
  await write('node_modules/tooltip/package.json', '{ "name": "tooltip" }');
  await write('node_modules/tooltip/tooltip.module.css', '.tip { color: red }');
  const salt = () => styleSalt(folder.path, 'mf-pricing@1.0.0');
  const salts = [salt()];
  assert.match(salts[0] ?? '', /^mf-pricing [0-9a-f]{64}$/);
  await write('src/plan.tsx', 'export const text = "new";');
  await write('dist/exposed.css', '._a{color:red}');
  assert.deepEqual([salt()], salts);
  await write('src/plan.module.css', '.plan { color: blue }');
  salts.push(salt());
  await write('node_modules/tooltip/tooltip.module.css', '.tip { color: blue }');
  salts.push(salt());
  assert.equal(new Set(salts).size, 3);
});

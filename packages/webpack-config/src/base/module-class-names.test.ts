import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isModuleClass } from '@countersign/contracts/fragment';
import { moduleClassNames } from './module-class-names.ts';

test('class names: change with their stylesheet and part, and with nothing else', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'module-class-names-'));
  const [plan, copy] = ['plan.module.css', 'copy.module.css'].map((name) => join(folder.path, name));
  assert.ok(plan && copy);
  const stylesheet = '.plan { animation: appear } @keyframes appear {} .plan.paid {}';
  await writeFile(plan, stylesheet);
  await writeFile(copy, stylesheet);
  const names = (part: string, path = plan) => {
    const nameIn = moduleClassNames(part);
    return ['plan', 'appear', 'paid'].map((name) => nameIn(path, name));
  };
  const first = names('mf-pricing@1.0.0');
  assert.ok(first.every(isModuleClass));
  assert.deepEqual(names('mf-pricing@2.0.0'), first);
  assert.deepEqual(names('mf-pricing@2.0.0', copy), first);

  const ofLeads = names('mf-leads@1.0.0');
  await writeFile(plan, `${stylesheet} .plan { color: red }`);
  const ofChangedStylesheet = names('mf-pricing@1.0.0');
  assert.equal(new Set([...first, ...ofLeads, ...ofChangedStylesheet]).size, 9, 'a name occurs twice');
});

test('class names: a stylesheet may declare over 64 names; an undeclared name is an error', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'module-class-names-'));
  const path = join(folder.path, 'many.module.css');
  const declared = Array.from({ length: 200 }, (_, number) => `c${number}`);
  await writeFile(path, declared.map((name) => `.${name} {}`).join('\n'));
  const nameIn = moduleClassNames('mf-pricing@1.0.0');
  const names = declared.map((name) => nameIn(path, name));
  assert.equal(new Set(names).size, declared.length);
  assert.ok(names.every(isModuleClass));
  assert.throws(() => nameIn(path, 'c200'), /many\.module\.css declares no class or animation "c200"\.$/);
});

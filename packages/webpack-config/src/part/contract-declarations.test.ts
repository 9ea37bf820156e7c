import assert from 'node:assert/strict';
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { contractDeclarations } from './contract-declarations.ts';

test('contract declarations: contain exposed modules and shell API, and are self-contained', () => {
  const declarations = contractDeclarations(import.meta.dirname);
  assert.match(declarations['contract/remotes.d.ts'] ?? '', /'\.\/pricing': SlotModule/);
  assert.match(declarations['contract/shell-api.d.ts'] ?? '', /interface ShellApi/);
  const imported = Object.values(declarations).flatMap((text) => [...text.matchAll(/from '\.\/([^']+)'/g)]);
  assert.notEqual(imported.length, 0);
  for (const [, file = ''] of imported) {
    assert(Object.hasOwn(declarations, `contract/${file}.d.ts`), file);
  }
});

test('contract declarations: are those of the packed contracts that the part has installed', () => {
  using part = mkdtempDisposableSync(join(tmpdir(), 'part-'));
  const contracts = join(part.path, 'node_modules/@countersign/contracts');
  mkdirSync(contracts, { recursive: true });
  const files = {
    'package.json': '{ "type": "module", "exports": { "./remotes": "./remotes.js" } }',
    'remotes.js': 'export {};',
    'remotes.d.ts': "import type { Given } from './given.js';\nexport type Taken = Given;\n",
    'given.d.ts': 'export type Given = string;\n',
    'other.d.ts': 'export type Other = string;\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(contracts, name), text);
  assert.deepEqual(contractDeclarations(part.path), {
    'contract/given.d.ts': 'export type Given = string;\n',
    'contract/remotes.d.ts': "import type { Given } from './given';\nexport type Taken = Given;\n",
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractDeclarations } from './contract-declarations.ts';

test('contract declarations: contain exposed modules and shell API, and are self-contained', () => {
  const declarations = contractDeclarations(import.meta.dirname);
  assert.match(declarations['contract/remotes.d.ts'] ?? '', /'\.\/pricing': SlotModule/);
  assert.match(declarations['contract/shell-api.d.ts'] ?? '', /interface ShellApi/);
  const imported = Object.values(declarations).flatMap((text) => [...text.matchAll(/from '([^']+)'/g)]);
  assert.notEqual(imported.length, 0);
  for (const [, name = ''] of imported) {
    // Any other module is missing in the pre-deploy check, which would take its types for `any`.
    assert(name === 'react' || Object.hasOwn(declarations, `contract/${name.slice(2)}.d.ts`), name);
  }
});

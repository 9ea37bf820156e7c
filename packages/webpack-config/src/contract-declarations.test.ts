import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractDeclarations } from './contract-declarations.ts';

test('the declarations say what remotes expose and what the shell gives them, and import only each other', () => {
  const declarations = contractDeclarations();
  assert.match(declarations['contract/remotes.d.ts'] ?? '', /'\.\/pricing': SlotModule/);
  assert.match(declarations['contract/shell-api.d.ts'] ?? '', /interface ShellApi/);
  for (const text of Object.values(declarations)) {
    for (const [, file = ''] of text.matchAll(/from '\.\/([^']+)'/g)) {
      assert(Object.hasOwn(declarations, `contract/${file}.d.ts`), file);
    }
  }
});

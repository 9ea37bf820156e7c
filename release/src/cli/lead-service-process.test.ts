import assert from 'node:assert/strict';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminSettings, leadsFolder } from './lead-service-process.ts';

test('DATA_DIR: npm start keeps leads in leads/, or where a standalone service has them', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'release-leads-'));
  assert.equal(leadsFolder(folder.path), join(folder.path, 'leads'));
  writeFileSync(join(folder.path, 'spool.sqlite'), '');
  assert.equal(leadsFolder(folder.path), folder.path);
});

test('ADMIN_TOKENS: npm start adds its token to others, or opens the API without an inbox', () => {
  assert.deepEqual(adminSettings('own', 'others'), {
    hasInbox: true,
    variables: { ADMIN_TOKENS: 'others,own' },
  });
  assert.deepEqual(adminSettings('own', undefined), {
    hasInbox: false,
    variables: { ADMIN_TOKENS: 'own', ADMIN_HOST: '127.0.0.1', ADMIN_PORT: '0' },
  });
});

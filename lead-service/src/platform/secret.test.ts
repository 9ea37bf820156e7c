import assert from 'node:assert/strict';
import { mkdtempDisposableSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readOrCreateSecret } from './secret.ts';

test('secret: created once and private, even after a crash left a partial file', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lead-service-'));
  const directory = folder.path;
  writeFileSync(join(directory, 'secret.1.tmp'), 'half');

  const secret = await readOrCreateSecret(directory);
  assert.equal(await readOrCreateSecret(directory), secret);
  assert.deepEqual(readdirSync(directory), ['secret', 'secret.1.tmp']);
  assert.equal(statSync(join(directory, 'secret')).mode & 0o777, 0o600);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartupError } from '../platform/startup-error.ts';
import { sqlite } from '../testing/test-databases.ts';
import { lockDirectory } from './directory-lock.ts';

test('directory lock: excludes a second service until its release', async () => {
  await using database = await sqlite.create();
  const lock = lockDirectory(database.dataDirectory);
  assert.throws(() => lockDirectory(database.dataDirectory), {
    name: 'StartupError',
    message: /Another lead service/,
  });
  lock.release();
  lockDirectory(database.dataDirectory).release();
});

test('directory lock: creates a missing directory, and names a path that cannot be one', async () => {
  await using database = await sqlite.create();
  lockDirectory(join(database.dataDirectory, 'new', 'folder')).release();
  const file = join(database.dataDirectory, 'file');
  writeFileSync(file, '');
  assert.throws(
    () => lockDirectory(file),
    (error) => error instanceof StartupError && error.message.includes(file),
  );
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartFailure } from '../start-failure.ts';
import { createSqlite } from '../testing/test-databases.ts';
import { lockDirectory } from './directory-lock.ts';

test('a data directory belongs to one service at a time, until that one gives it back', async () => {
  await using database = await createSqlite();
  const lock = lockDirectory(database.dataDirectory);
  assert.throws(() => lockDirectory(database.dataDirectory), {
    name: 'StartFailure',
    message: /Another lead service/,
  });
  lock.release();
  lockDirectory(database.dataDirectory).release();
});

test('a data directory is made if it is missing, and what cannot be one is named', async () => {
  await using database = await createSqlite();
  lockDirectory(join(database.dataDirectory, 'new', 'folder')).release();
  const file = join(database.dataDirectory, 'file');
  writeFileSync(file, '');
  assert.throws(
    () => lockDirectory(file),
    (error) => error instanceof StartFailure && error.message.includes(file),
  );
});

import assert from 'node:assert/strict';
import { link, mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceFile } from './replace-file.ts';

test('replaced file: a reader that has opened the old file keeps all of it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'replaced-'));
  const file = join(folder.path, 'probe.prom');
  const opened = join(folder.path, 'opened');
  await replaceFile(file, 'old content');
  // Like an open file, a second name stays with the content that was there.
  await link(file, opened);
  await replaceFile(file, 'new');
  assert.deepEqual(await Promise.all([file, opened].map((path) => readFile(path, 'utf8'))), [
    'new',
    'old content',
  ]);
  assert.deepEqual((await readdir(folder.path)).toSorted(), ['opened', 'probe.prom']);
});

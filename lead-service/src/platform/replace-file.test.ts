import assert from 'node:assert/strict';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { replaceFile } from './replace-file.ts';

test('replaced file: of two writers at the same time, each replaces it by its whole content', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lead-service-'));
  const file = join(folder.path, 'leads.jsonl');
  const [first, second] = [new PassThrough(), new PassThrough()];
  const [writtenFirst, writtenSecond] = [replaceFile(file, first), replaceFile(file, second)];
  first.write('one\n');
  second.write('three\n');
  first.end('two\n');
  await writtenFirst;
  assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n');
  second.end('four\n');
  await writtenSecond;
  assert.equal(readFileSync(file, 'utf8'), 'three\nfour\n');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileErrorMessage } from './errors.ts';

test('file error: a write to a full disk, which names no file, gets a sentence', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  assert.equal(fileErrorMessage(error), 'A file is on a full disk. Free some space.');
});

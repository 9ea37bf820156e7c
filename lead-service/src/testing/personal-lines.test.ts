import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { personalLines, testInputs } from './personal-lines.ts';

test('personal lines: the search finds names, texts and addresses only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-service-'));
  const file = join(folder, 'log');
  const typed = testInputs(join(import.meta.dirname, '..'));
  assert.throws(() => personalLines(file, typed), /nothing to search/);
  const found = [
    'hello Ada Lovelace',
    // Input of another test.
    'from ORBITAL Mechanics',
    'what=Please compute this trajectory for us.',
    // Built by another test.
    'message=This is message number 7.',
    'to=<someone@mail.example.org>',
    '{"answer":"550 x@example.com"}',
  ];
  const fine = [
    'at node_modules/@koa/router/lib/router.js:3:4',
    'postgres://postgres@127.0.0.1:5432/test',
    'lead=1',
  ];
  writeFileSync(file, [...found, ...fine].join('\n'));
  assert.deepEqual(personalLines(file, typed), found);
  rmSync(folder, { recursive: true });
});

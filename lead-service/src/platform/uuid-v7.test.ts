import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidV7 } from './uuid-v7.ts';

// The years are in the future and ascend, because no id is older than an earlier one of the process.

test('UUID v7: encodes its creation time, version and variant', () => {
  const id = uuidV7(Date.UTC(2100, 0));
  assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), Date.UTC(2100, 0));
});

test('UUID v7: sorts by creation, even within a millisecond and after the clock went back', () => {
  const start = Date.UTC(2101, 0);
  const ids = Array.from({ length: 10_000 }, (_, index) => uuidV7(start - (index > 9_000 ? 60_000 : 0)));
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
});

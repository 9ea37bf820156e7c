import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookWhileFound } from './look-while-found.ts';

/** In milliseconds. */
const limit = 100;

test('a look that takes longer than the limit is not the last one', async () => {
  let looks = 0;
  const found = await lookWhileFound(limit, () => {
    looks += 1;
    for (const start = performance.now(); looks === 1 && performance.now() < start + limit * 2;);
    return looks < 4 ? 'a violation' : undefined;
  });
  assert.equal(found, undefined);
});

test('a violation that stays is found', async () => {
  assert.equal(await lookWhileFound(limit, () => 'a violation'), 'a violation');
});

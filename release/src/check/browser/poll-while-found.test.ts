import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollWhileFound } from './poll-while-found.ts';

/** In milliseconds. */
const limit = 100;

test('poll: one that takes longer than the limit is not the last one', async () => {
  let polls = 0;
  const found = await pollWhileFound(limit, () => {
    polls += 1;
    for (const start = performance.now(); polls === 1 && performance.now() < start + limit * 2;);
    return polls < 4 ? 'a violation' : undefined;
  });
  assert.equal(found, undefined);
});

test('poll: a violation that stays is found', async () => {
  assert.equal(await pollWhileFound(limit, () => 'a violation'), 'a violation');
});

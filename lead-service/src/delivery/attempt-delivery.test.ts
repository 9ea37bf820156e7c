import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { retryDelay, retryDelays, storableAnswer } from './attempt-delivery.ts';

const attempts = retryDelays.map((_delay, index) => index + 1);

test('retry schedule: each delay exceeds the previous one for any jitter', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(random, random, (before, after) => {
      for (const attempt of attempts.slice(1)) {
        assert.ok((retryDelay(attempt, after) ?? 0) > (retryDelay(attempt - 1, before) ?? Infinity));
      }
    }),
  );
});

test('retry schedule: the delays add up to two days and then end', () => {
  const hours = retryDelays.reduce((sum, delay) => sum + delay) / 3_600_000;
  assert.ok(hours > 47 && hours <= 48, `${hours} hours`);
  assert.equal(retryDelay(retryDelays.length + 1, 0.5), undefined);
});

test('retry schedule: jitter separates the retries of simultaneous failures', () => {
  assert.deepEqual([retryDelay(1, 0), retryDelay(1, 0.5), retryDelay(1, 1)], [25_500, 30_000, 34_500]);
});

for (const [answer, kept] of [
  ['550 5.1.1 <ada@example.com>: no such user', '550 5.1.1 <[address]>: no such user'],
  ['550-first line\r\n550 second line', '550-first line 550 second line'],
  ["no mailbox o'ada+x@mail.example.com here", 'no mailbox [address] here'],
  ['see https://example.com/?to=ada%40example.com', 'see https:[address]'],
  ['{"email":"ada@example.com","ok":false}', '{"email":"[address]","ok":false}'],
  ['\u001b[31mred\u0000', '[31mred'],
] as const) {
  test(`truncated response: ${JSON.stringify(answer)} is stored as ${JSON.stringify(kept)}`, () => {
    assert.equal(storableAnswer(answer), kept);
  });
}

test('truncated response: long answers keep no address and at most 1000 characters', () => {
  const around = fc.string({ maxLength: 1_200 });
  fc.assert(
    fc.property(around, fc.emailAddress(), around, (before, address, after) => {
      const kept = storableAnswer(`${before} ${address} ${after}`);
      assert.ok(kept.length <= 1_000);
      assert.doesNotMatch(kept, /\S@\S/);
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storableAnswer } from './attempt-result.ts';

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

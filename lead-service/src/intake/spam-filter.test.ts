import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { sampleLead } from '../testing/sample-lead.ts';
import { noopLog } from '../platform/log.ts';
import { createCounters } from '../rate-limit/counters.ts';
import { sqlite } from '../testing/test-databases.ts';
import { createSpamFilter, scoreLead } from './spam-filter.ts';

const harmless = { fields: sampleLead, honeypot: '', sameMessage: 1 };
type Evidence = typeof harmless;

const lead = (changes: Partial<typeof sampleLead>) => ({ fields: { ...sampleLead, ...changes } });
const message = (text: string) => lead({ message: text });
const links = (count: number) => 'Our tender is at https://a.example/tender '.repeat(count);
const often = (text: string, sameMessage: number) => ({ ...message(text), sameMessage });

describe('spam score', () => {
  for (const [sign, evidence, reason] of [
    ['a link', message('Look at https://a.example, please.'), '1 link in the message'],
    ['links', message('http://a.example and www.b.example'), '2 links in the message'],
    ['many links', message('http://a.example '.repeat(9)), '9 links in the message'],
    ['a link in the name', lead({ name: 'www.a.example' }), 'a link in the name or company'],
    ['markup', message('Ask me for [url=a] or so'), 'markup for links in the message'],
    [
      'a message sent often',
      often('This message is long enough to be told from others.', 4),
      'the same message came with 4 leads within a day',
    ],
    ['a disposable address', lead({ email: 'ada@mx.MAILINATOR.com' }), 'a disposable e-mail address'],
  ] satisfies [string, Partial<Evidence>, string][]) {
    test(`grows with ${sign}, which alone causes no quarantine`, () => {
      const { score, reasons, quarantined } = scoreLead({ ...harmless, ...evidence });
      assert.ok(score > 0);
      assert.deepEqual(reasons, [reason]);
      assert.equal(quarantined, false);
    });
  }

  for (const [what, evidence, isQuarantined] of [
    ['a filled-in honeypot', { honeypot: 'x' }, true],
    ['a lead with many links', message(links(12)), false],
    ['a message that 20 people send', often('I have seen your letter, please send me an offer.', 20), false],
    ['a wave of one message', often('We can put your company on the first page.', 21), true],
    ['a short message, however often', often('Please call me back', 90), false],
    [
      'a pharmacy with markup and links',
      message('<a href="http://a.example">pills</a> [url=www.b.example]'),
      true,
    ],
    ['links from a disposable address', lead({ email: 'x@mailinator.com', message: links(4) }), true],
  ] satisfies [string, Partial<Evidence>, boolean][]) {
    test(`${isQuarantined ? 'quarantines' : 'lets pass'} ${what}`, () => {
      const { score, quarantined } = scoreLead({ ...harmless, ...evidence });
      assert.equal(quarantined, isQuarantined, String(score));
    });
  }

  test('is zero for normal messages', () => {
    for (const text of [
      'Hi!\n----------------------------------------\nPlease call me: +44 20 7946 0000.',
      'Нам нужно подписывать договоры. Спасибо!',
      'می\u200cخواهم قراردادهایمان را امضا کنیم',
    ]) {
      assert.deepEqual(scoreLead({ ...harmless, ...message(text) }), {
        ...{ score: 0, reasons: [], quarantined: false },
      });
    }
  });

  for (const part of ['www.', '<a ', '[url', 'http:', '\u{1F44B}']) {
    test(`scores a long message of nothing but "${part}" without runaway backtracking`, () => {
      const score = () => scoreLead({ ...harmless, ...message(part.repeat(16_000 / part.length)) });
      // A test's own time limit cannot end what never yields.
      assert.doesNotThrow(() => runInNewContext('score()', { score }, { timeout: 10_000 }));
    });
  }
});

describe('spam filter', () => {
  const text = 'We can put your company on the first page of every search.';

  test('counts different leads with one message, whatever its blanks, and no retries', async () => {
    await using database = await sqlite.create();
    await using counters = createCounters(database, Buffer.from('key'), noopLog);
    const classify = createSpamFilter(counters);
    const send = (fingerprint: string, sent = text) =>
      classify({ ...sampleLead, message: sent }, fingerprint);
    for (let retry = 0; retry < 5; retry += 1) assert.equal((await send('one')).score, 0);
    await send('two', text.replace(' ', '  '));
    await send('three');
    assert.deepEqual((await send('four', text.toUpperCase())).reasons, [
      'the same message came with 4 leads within a day',
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { sampleLead } from '../testing/sample-lead.ts';
import { quarantineScore, scoreLead, type Evidence } from './score-lead.ts';

const opened = { kind: 'good', id: 'id', secondsOld: 30, challenged: false } as const;
const harmless: Evidence = {
  fields: sampleLead,
  honeypot: '',
  form: opened,
  proof: 'not-asked',
  sentWithForm: 1,
  sameMessage: 1,
};

const lead = (changes: Partial<typeof sampleLead>) => ({ fields: { ...sampleLead, ...changes } });
const message = (text: string) => lead({ message: text });
const absent = { form: { kind: 'absent' } } as const;
const forged = { form: { kind: 'forged' } } as const;
const expired = { form: { kind: 'expired' } } as const;
const hidden = 'hidden or reordering characters in the name or company';

describe('spam score', () => {
  test('is zero for a normal lead', () => {
    assert.deepEqual(scoreLead(harmless), { score: 0, reasons: [], quarantined: false });
  });

  for (const [sign, evidence, reason] of [
    ['a missing token', absent, 'sent without a form token'],
    ['a forged token', forged, 'the form token is not ours'],
    ['an old token', expired, 'the form was opened more than a day ago'],
    ['haste', { form: { ...opened, secondsOld: 1.9 } }, 'sent within 2 seconds of opening the form'],
    ['a form used often', { sentWithForm: 6 }, '6 leads from one opened form'],
    ['a link', message('Look at https://a.example, please.'), '1 link in the message'],
    ['links', message('http://a.example and www.b.example'), '2 links in the message'],
    ['many links', message('http://a.example '.repeat(9)), '9 links in the message'],
    ['a link in the name', lead({ name: 'www.a.example' }), 'a link in the name or company'],
    ['markup', message('Ask me for [url=a] or so'), 'markup for links in the message'],
    ['one character', message('a'.repeat(40)), 'the message repeats itself'],
    ['one word', message('buy '.repeat(20)), 'the message repeats itself'],
    [
      'a message sent often',
      { ...message('This message is long enough to be told from others.'), sameMessage: 4 },
      'the same message came with 4 leads within a day',
    ],
    ['a disposable address', lead({ email: 'ada@mx.MAILINATOR.com' }), 'a disposable e-mail address'],
    ['mixed alphabets', lead({ name: 'Аda Lovelace' }), 'a word in the name or company mixes alphabets'],
    ['text that hides or reorders itself', lead({ name: 'Ada \u202egnp.exe' }), hidden],
    ['zero-width characters', lead({ company: 'Pay\u200bPal' }), hidden],
    ['a missing proof of work', { proof: 'missing' }, 'proof of work was asked for and not given'],
    ['a wrong proof of work', { proof: 'wrong' }, 'the proof of work is wrong'],
    ['a reused proof of work', { proof: 'used' }, 'the proof of work was used before'],
  ] satisfies [string, Partial<Evidence>, string][]) {
    test(`grows with ${sign}, which alone causes no quarantine`, () => {
      const { score, reasons, quarantined } = scoreLead({ ...harmless, ...evidence });
      assert.ok(score > 0);
      assert.deepEqual(reasons, [reason]);
      assert.equal(quarantined, false);
    });
  }

  test('quarantines a lead with a filled-in honeypot, even with proof of work', () => {
    for (const proof of ['not-asked', 'solved'] as const) {
      assert.equal(scoreLead({ ...harmless, honeypot: 'x', proof }).quarantined, true);
    }
  });

  test('quarantines a lead with several signs, unless proof of work offsets them', () => {
    const doubtful: Evidence = {
      ...harmless,
      ...message('See https://a.example and https://b.example and https://c.example'),
      ...forged,
    };
    assert.equal(scoreLead(doubtful).quarantined, true);
    const forgiven = scoreLead({ ...doubtful, proof: 'solved' });
    assert.equal(forgiven.quarantined, false);
    assert.equal(forgiven.reasons.at(-1), 'proof of work was given');
  });

  const links = (count: number) => 'Our tender is at https://a.example/tender '.repeat(count);
  const often = (text: string, sameMessage: number) => ({ ...message(text), sameMessage });
  for (const [what, evidence, isQuarantined] of [
    ['a lead with three links, from a browser without script', { ...message(links(3)), ...absent }, false],
    [
      'a lead with three links, from a form that was open overnight',
      { ...message(links(3)), ...expired },
      false,
    ],
    ['a lead with many links, from a form', message(links(12)), false],
    [
      'a lead with a link, from a form that was open while the secret changed',
      { ...message(links(1)), ...forged },
      false,
    ],
    [
      'a lead from a disposable address, with a link and without script',
      { ...lead({ email: 'ada@mailinator.com', message: links(1) }), ...absent },
      false,
    ],
    [
      'a lead with a link, from a suspicious network without the proof',
      { ...message(links(1)), proof: 'missing' },
      false,
    ],
    [
      'a lead with the message of a campaign, without script',
      { ...often('I have seen your letter, please send me an offer.', 20), ...absent },
      false,
    ],
    [
      'the same message to many strangers, without a form',
      { ...often('We can put your company on the first page.', 21), ...absent },
      true,
    ],
    [
      'a pharmacy with markup and links, without a form',
      { ...message('<a href="http://a.example">pills</a> [url=www.b.example]'), ...absent },
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
      'Wir möchten 200 Verträge im Monat unterschreiben lassen. Können Sie uns ein Angebot machen?',
      'Нам нужно подписывать договоры. Спасибо!',
      'می\u200cخواهم قراردادهایمان را امضا کنیم',
      'aaaaaaaaaargh, our printer broke again and again and again',
    ]) {
      assert.equal(scoreLead({ ...harmless, ...message(text) }).score, 0, text);
    }
  });

  for (const part of ['a', 'www.', '<a ', '[url', 'http:', 'ab ', '\u{1F44B}', '- ']) {
    test(`scores the longest message of nothing but "${part}" without runaway backtracking`, () => {
      const score = () => scoreLead({ ...harmless, ...message(part.repeat(16_000 / part.length)) });
      // A test's own time limit cannot end what never yields.
      const { score: points } = runInNewContext('score()', { score }, { timeout: 10_000 }) as ReturnType<
        typeof scoreLead
      >;
      assert.ok(points < quarantineScore * 3);
    });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadSubmission } from './lead-submission.ts';
import { leadFields } from './lead.ts';

const valid = { name: 'Jo', email: 'jo@example.com', message: 'Ten chars.' };

function messagesFor(input: unknown): string[] {
  return leadFields.safeParse(input).error?.issues.map((issue) => issue.message) ?? [];
}

test('lead: missing and short fields get the form’s messages', () => {
  const sentences = [
    'Name must be at least 2 characters',
    'Please enter a valid email address',
    'Message must be at least 10 characters',
  ];
  assert.deepEqual(messagesFor({}), sentences);
  assert.deepEqual(messagesFor({ name: 'J', email: 'jo', message: 'Nine char' }), sentences);
});

test('lead: an email address that is too long, valid otherwise or not, gets one message', () => {
  const domain = '@example.com';
  const longest = 'a'.repeat(254 - domain.length) + domain;
  assert.deepEqual(messagesFor({ ...valid, email: `a${longest}` }), ['Please enter a valid email address']);
  assert.deepEqual(messagesFor({ ...valid, email: 'a'.repeat(300) }), ['Please enter a valid email address']);
});

test('lead: outer white space is ignored', () => {
  assert.deepEqual(messagesFor({ ...valid, name: ' J ' }), ['Name must be at least 2 characters']);
  assert.equal(leadFields.parse({ ...valid, email: ' jo@example.com ' }).email, 'jo@example.com');
});

test('lead: equal texts are stored in one Unicode form', () => {
  const decomposed = {
    ...valid,
    name: 'Zoe\u0308',
    company: 'Mu\u0308ller',
    message: 'Gru\u0308\u00dfe an alle',
  };
  assert.deepEqual(leadFields.parse(decomposed), {
    ...valid,
    name: 'Zo\u00eb',
    company: 'M\u00fcller',
    message: 'Gr\u00fc\u00dfe an alle',
  });
});

test('lead: invisible characters do not count, but stay where a name needs them', () => {
  const hidden = '\u200b\u2060\ufeff\u202e\u00ad\u3164\u2800\u{e0041}';
  assert.deepEqual(messagesFor({ ...valid, name: hidden, message: hidden.repeat(3) }), [
    'Name must be at least 2 characters',
    'Message must be at least 10 characters',
  ]);
  assert.deepEqual(messagesFor({ ...valid, name: `J${hidden}`, message: `Nine${hidden} char` }), [
    'Name must be at least 2 characters',
    'Message must be at least 10 characters',
  ]);
  assert.deepEqual(messagesFor({ ...valid, name: '\u{1f600}\u2060' }), [
    'Name must be at least 2 characters',
  ]);
  assert.equal(leadFields.parse({ ...valid, company: ` ${hidden} ` }).company, '');
  for (const name of ['\u{1f469}\u200d\u{1f4bb}', 'می\u200cخواهم', 'Jo']) {
    assert.equal(leadFields.parse({ ...valid, name }).name, name);
  }
});

test('lead: NUL characters are removed, unpaired surrogates replaced, and two halves become no pair', () => {
  assert.equal(leadFields.parse({ ...valid, name: 'A\0da' }).name, 'Ada');
  assert.equal(leadFields.parse({ ...valid, name: '\ud800\0\udc00' }).name, '\ufffd\ufffd');
});

test('lead: unknown fields are dropped, an unknown type is refused', () => {
  assert.deepEqual(leadFields.parse({ ...valid, admin: true }), valid);
  assert.equal(leadSubmission.safeParse({ ...valid, submissionType: 'sale' }).success, false);
});

test('lead: an international domain is stored in ASCII, in every spelling', () => {
  const stored = (email: string) => leadFields.parse({ ...valid, email }).email;
  for (const email of ['fay@bücher.de', 'fay@bu\u0308cher.de', 'fay@BÜCHER.DE', ' fay@bücher。de ']) {
    assert.equal(stored(email), 'fay@xn--bcher-kva.de', email);
  }
  assert.equal(stored('fay@xn--bcher-kva.de'), 'fay@xn--bcher-kva.de');
  assert.equal(stored('fay@почта.рф'), 'fay@xn--80a1acny.xn--p1ai');
  assert.equal(stored("O'Hara+a_b@Example.com"), "O'Hara+a_b@Example.com");
});

test('lead: every local part that a browser accepts is valid', () => {
  for (const local of ['r&d', 'sales/emea', 'user=tag', '#team', 'a.', '.a', "!$%'*+-?^_`{|}~"]) {
    assert.deepEqual(messagesFor({ ...valid, email: `${local}@docomo.ne.jp` }), [], local);
  }
});

test('lead: an address is stored without what was pasted with it', () => {
  for (const email of [
    '\u200bjo@example.com',
    '\u202ajo@example.com\u202c',
    'jo@exam\u00adple.com',
    '\ufeff jo@example.com',
    'mailto:jo@example.com',
    '\u200bMailto:jo@example.com',
    'ｊｏ＠ｅｘａｍｐｌｅ．ｃｏｍ',
  ]) {
    assert.equal(leadFields.parse({ ...valid, email }).email, 'jo@example.com', email);
  }
});

test('lead: an address with an invalid domain or a non-ASCII local part is refused', () => {
  const addresses = [
    'fäy@example.com',
    'fay@bücher',
    'fay@bü cher.de',
    'fay@bücher.de:25',
    'fay@bücher.de/a',
    'fay@bü@cher.de',
    'fay@１.２.３.４',
    'fay@a％41.de',
    'fay@bücher..de',
    'fay@-ü\ud800.de',
    'fay@bücher.de\x01',
    'fay@example-.com',
    'fay@xn--.com',
    'fay@example.xn--',
    'bücher.de',
    '@bücher.de',
  ];
  for (const email of addresses) {
    assert.deepEqual(messagesFor({ ...valid, email }), ['Please enter a valid email address'], email);
  }
});

test('lead: a long text in place of an address is refused without quadratic time', () => {
  // Quadratic time would be hours, and exceed the time limit of the run.
  const long = 'ü'.repeat(1_000_000);
  const labels = 'a-'.repeat(500_000);
  for (const email of [
    ...[`fay@${long}/`, `${long} `, `${long}@${long}@`, `fay@${long}.de`],
    ...[`fay@${labels}`, `fay@xn--${labels}`, `fay@${labels.replaceAll('-', '.')}-`],
  ]) {
    assert.deepEqual(messagesFor({ ...valid, email }), ['Please enter a valid email address']);
  }
});

test('lead: the maximum lengths are accepted, and one character more is refused', () => {
  const longest = { ...valid, name: 'n'.repeat(200), company: 'c'.repeat(200), message: 'm'.repeat(5000) };
  assert.deepEqual(messagesFor(longest), []);
  assert.deepEqual(messagesFor({ ...longest, message: '😀'.repeat(5000) }), []);
  assert.deepEqual(
    messagesFor({
      ...longest,
      name: `${longest.name}n`,
      company: `${longest.company}c`,
      message: `${longest.message}m`,
    }),
    [
      'Name must be at most 200 characters',
      'Company must be at most 200 characters',
      'Message must be at most 5,000 characters',
    ],
  );
});

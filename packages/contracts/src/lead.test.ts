import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadFields, leadSubmission } from './lead.ts';

const valid = { name: 'Jo', email: 'jo@example.com', message: 'Ten chars.' };

function messagesFor(input: unknown): string[] {
  return leadFields.safeParse(input).error?.issues.map((issue) => issue.message) ?? [];
}

test('a lead with the shortest allowed name and message is accepted, without a company', () => {
  assert.deepEqual(leadFields.parse(valid), valid);
});

test('missing and too short fields get the sentences that the form shows', () => {
  const sentences = [
    'Name must be at least 2 characters',
    'Please enter a valid email address',
    'Message must be at least 10 characters',
  ];
  assert.deepEqual(messagesFor({}), sentences);
  assert.deepEqual(messagesFor({ name: 'J', email: 'jo', message: 'Nine char' }), sentences);
});

test('an address that no mail could go to is refused, with one sentence', () => {
  const domain = '@example.com';
  const longest = 'a'.repeat(254 - domain.length) + domain;
  assert.deepEqual(messagesFor({ ...valid, email: `a${longest}` }), ['Please enter a valid email address']);
  assert.deepEqual(messagesFor({ ...valid, email: 'a'.repeat(300) }), ['Please enter a valid email address']);
});

test('white space around a text does not count', () => {
  assert.deepEqual(messagesFor({ ...valid, name: ' J ' }), ['Name must be at least 2 characters']);
  assert.equal(leadFields.parse({ ...valid, email: ' jo@example.com ' }).email, 'jo@example.com');
});

test('unknown fields are left out, and an unknown type is refused', () => {
  assert.deepEqual(leadFields.parse({ ...valid, admin: true }), valid);
  assert.equal(leadSubmission.safeParse({ ...valid, submissionType: 'sale' }).success, false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadFields, leadSubmission } from './lead.ts';

const valid = { name: 'Jo', email: 'jo@example.com', message: 'Ten chars.' };

function messagesFor(input: unknown): string[] {
  return leadFields.safeParse(input).error?.issues.map((issue) => issue.message) ?? [];
}

test('lead: minimum name and message without company are valid', () => {
  assert.deepEqual(leadFields.parse(valid), valid);
});

test('lead: missing and short fields get the form’s messages', () => {
  const sentences = [
    'Name must be at least 2 characters',
    'Please enter a valid email address',
    'Message must be at least 10 characters',
  ];
  assert.deepEqual(messagesFor({}), sentences);
  assert.deepEqual(messagesFor({ name: 'J', email: 'jo', message: 'Nine char' }), sentences);
});

test('lead: an invalid email address gets one message', () => {
  const domain = '@example.com';
  const longest = 'a'.repeat(254 - domain.length) + domain;
  assert.deepEqual(messagesFor({ ...valid, email: `a${longest}` }), ['Please enter a valid email address']);
  assert.deepEqual(messagesFor({ ...valid, email: 'a'.repeat(300) }), ['Please enter a valid email address']);
});

test('lead: outer white space is ignored', () => {
  assert.deepEqual(messagesFor({ ...valid, name: ' J ' }), ['Name must be at least 2 characters']);
  assert.equal(leadFields.parse({ ...valid, email: ' jo@example.com ' }).email, 'jo@example.com');
});

test('lead: unknown fields are dropped, an unknown type is refused', () => {
  assert.deepEqual(leadFields.parse({ ...valid, admin: true }), valid);
  assert.equal(leadSubmission.safeParse({ ...valid, submissionType: 'sale' }).success, false);
});

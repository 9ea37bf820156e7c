import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renewSecurityTxt } from './security-txt.ts';

const contact = 'mailto:security@example.com';
const november = Date.parse('2026-11-23T01:40:00Z');
const first = renewSecurityTxt(contact, undefined, november);

test('security.txt: without a contact there is none', () => {
  assert.equal(renewSecurityTxt(undefined, undefined, november), undefined);
});

test('security.txt: expires within a year, at midnight', () => {
  assert.deepEqual(first, { contact, expires: '2027-11-18T00:00:00.000Z' });
});

test('security.txt: a release within half a year changes nothing, a later one renews the expiry', () => {
  const april = Date.parse('2027-04-01T00:00:00Z');
  assert.deepEqual(renewSecurityTxt(undefined, first, april), first);
  const june = Date.parse('2027-06-01T00:00:00Z');
  assert.deepEqual(renewSecurityTxt(undefined, first, june), {
    contact,
    expires: '2028-05-26T00:00:00.000Z',
  });
});

test('security.txt: a new contact replaces the one before', () => {
  const url = 'https://example.com/security';
  assert.equal(renewSecurityTxt(url, first, november)?.contact, url);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { journeys, press } from './journeys.ts';

const sample = [press('button "Send"')];
for (const [what, value, message] of [
  ['none', {}, /must hold a journey/],
  [
    '41 of them',
    Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`${index}`, sample])),
    /40 journeys/,
  ],
  ['a list without names', [{ steps: sample }], /record|object/],
  ['a journey without steps', { empty: [] }, /must hold a step/],
  ['41 steps', { long: Array.from({ length: 41 }, () => sample[0]) }, /40 steps at most/],
  ['an unknown step', { odd: [{ click: 'button "Send"' }] }, /is no step of a journey/],
  ['a selector', { odd: [{ press: '.button > span' }] }, /must be a role/],
  [
    'an address of another site',
    { odd: [{ leadsTo: 'link "A"', address: '//evil.example' }] },
    /must be a path of the page/,
  ],
  ['a text of 201 characters', { odd: [{ see: `"${'a'.repeat(199)}"` }] }, /200 characters at most/],
] as const) {
  test(`journeys: ${what} is refused`, () => {
    const { error } = journeys.safeParse(
      Array.isArray(value)
        ? value
        : Object.fromEntries(Object.entries(value).map(([name, steps]) => [name, { steps }])),
    );
    assert.match(String(error), message);
  });
}

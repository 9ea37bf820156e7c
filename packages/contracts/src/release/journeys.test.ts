import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answers,
  choose,
  defineJourneys,
  focusIs,
  hasValue,
  journeys,
  key,
  leadsTo,
  notSee,
  press,
  reload,
  scrollsTo,
  see,
  sends,
  type,
} from './journeys.ts';

test('journeys: a step of each kind becomes data, and survives part.json', () => {
  const card = { in: 'article "Team Leader"' } as const;
  const defined = defineJourneys({
    'a plan leads to the application': [
      choose('radio "Yearly"', card),
      see('"$129.99"', card),
      notSee('"per month"', card),
      leadsTo('link "Start Free Trial"', '{appHost}/login', card),
      scrollsTo('link "Contact"', 'contact'),
    ],
    'a form is sent': {
      at: 'narrow',
      often: false,
      steps: [
        type('textbox "Name"', 'Ada'),
        hasValue('textbox "Name"', 'Ada'),
        key('Shift+Tab', 2),
        focusIs('textbox "Name"'),
        answers('/api/contact', { status: 201, message: 'Thanks', held: true }),
        press('button "Send Message"', { in: '#contact' }),
        sends('/api/contact', { name: 'Ada' }),
        reload(),
      ],
    },
  });
  assert.deepEqual(defined['a plan leads to the application']?.steps[0], {
    choose: 'radio "Yearly"',
    in: 'article "Team Leader"',
  });
  assert.deepEqual(journeys.parse(JSON.parse(JSON.stringify(defined))), defined);
});

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

import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { applyChoice, linkToChoice, readChoice, versionsOf, versionsToTry } from './page-versions.ts';

const release = sampleRelease({
  'mf-pricing': {
    live: sampleVersion('1.1.0'),
    previous: sampleVersion('1.0.0'),
    canary: { version: sampleVersion('1.2.0'), percent: 10 },
  },
});

const search = (value: string) => `?preview&boundaries=${value}`;

test('version choice: the URL chooses among the versions of the release', () => {
  expect([...readChoice(release, search('mf-pricing@1.0.0')).choice]).toEqual([['mf-pricing', '1.0.0']]);
  expect(versionsOf(release, 'mf-pricing').map(({ role }) => role)).toEqual(['live', 'canary', 'previous']);
});

test.each(['', 'mf-pricing@9.9.9', 'mf-leads@1.0.0', 'mf-pricing', 'constructor@1.0.0', '%40,,@'])(
  'version choice: "%s" chooses nothing',
  (value) => {
    expect(readChoice(release, search(value)).choice.size).toBe(0);
  },
);

test('version choice: a chosen version runs, with the live one as fallback', () => {
  const chosen = applyChoice(release, new Map([['mf-pricing', '1.2.0']]));
  expect(chosen.remotes['mf-pricing']?.live.version).toBe('1.2.0');
  expect(versionsToTry(chosen, 'mf-pricing', 'stable')).toEqual(['1.2.0', '1.1.0']);
  expect(versionsToTry(release, 'mf-pricing', 'canary')).toEqual(['1.2.0', '1.1.0', '1.0.0']);
});

test('version choice: choosing the live version ends the canary for this view', () => {
  const chosen = applyChoice(release, new Map([['mf-pricing', '1.1.0']]));
  expect(chosen.remotes['mf-pricing']).toEqual({ live: sampleVersion('1.1.0') });
});

test('version choice: a link keeps the other choices, and can be read', () => {
  const href = 'https://www.example.com/?preview&boundaries=mf-leads@1.0.0#pricing';
  const choice = new Map([['mf-leads', '1.0.0']] as const);
  const link = linkToChoice(href, choice, 'mf-pricing', '1.0.0');
  expect(link).toBe('https://www.example.com/?preview=&boundaries=mf-leads@1.0.0,mf-pricing@1.0.0#pricing');
  expect(linkToChoice(link, choice, 'mf-leads', undefined)).toContain('boundaries=#pricing');
});

test('version choice: a link contains no signed override', () => {
  const href = 'https://www.example.com/?preview&override=abc.def&boundaries=';
  const link = linkToChoice(href, new Map(), 'mf-pricing', '1.0.0');
  expect(link).toBe('https://www.example.com/?preview=&boundaries=mf-pricing@1.0.0');
});

test.each([
  ['mf-pricing@1.0.0', []],
  ['mf-pricing@9.9.9,mf-pricing@1.0.0,mf-faq@1.0.0', ['mf-pricing@9.9.9', 'mf-faq@1.0.0']],
  ['Call+us+at+555-0100,<b>@1.0.0', []],
])('version choice: of "%s" the release lacks %s', (value, ignored) => {
  expect(readChoice(release, search(value)).ignored).toEqual(ignored);
});

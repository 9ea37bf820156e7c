import { integrityPlugin } from './integrity-plugin.ts';

const entry = `${location.origin}/mf-pricing/1.0.0/entry.js`;
const styles = `${location.origin}/mf-pricing/1.0.0/exposed.css`;
const plugin = integrityPlugin(
  new Map([
    [entry, 'sha256-AAAA'],
    [styles, 'sha256-BBBB'],
  ]),
);

test('integrity plugin: scripts have integrity and the attributes of the preload link', () => {
  expect(plugin.createScript?.({ url: entry })).toMatchObject({
    src: entry,
    integrity: 'sha256-AAAA',
    crossOrigin: 'anonymous',
    async: true,
  });
});

test('integrity plugin: stylesheets have integrity and the runtime’s attributes', () => {
  expect(plugin.createLink?.({ url: styles, attrs: { rel: 'stylesheet' } })).toMatchObject({
    href: styles,
    rel: 'stylesheet',
    integrity: 'sha256-BBBB',
    crossOrigin: 'anonymous',
  });
});

test.each([
  `${location.origin}/mf-pricing/1.0.1/entry.js`,
  'https://elsewhere.example/mf-pricing/1.0.0/entry.js',
])('%s, which the release document does not name, is refused', (url) => {
  expect(() => plugin.createScript?.({ url })).toThrow(`does not name ${url}`);
  expect(() => plugin.createLink?.({ url, attrs: {} })).toThrow(`does not name ${url}`);
});

import { integrityPlugin } from './integrity-plugin.ts';

const entry = `${location.origin}/mf-pricing/1.0.0/entry.js`;
const plugin = integrityPlugin(new Map([[entry, 'sha256-AAAA']]));

test('integrity plugin: scripts have integrity and the attributes of the preload link', () => {
  expect(plugin.createScript?.({ url: entry })).toMatchObject({
    script: { src: entry, integrity: 'sha256-AAAA', crossOrigin: 'anonymous', async: true },
  });
});

test.each([
  `${location.origin}/mf-pricing/1.0.1/entry.js`,
  'https://elsewhere.example/mf-pricing/1.0.0/entry.js',
])('%s, which the release document does not name, is refused', (url) => {
  expect(() => plugin.createScript?.({ url })).toThrow(`does not name ${url}`);
});

import { integrityPlugin } from './integrity-plugin.ts';

const entry = { url: '/mf-pricing/1.0.0/entry.js', integrity: 'sha384-AAAA' };

/** What the federation runtime gets from the plugin before it loads an address. */
function scriptFor(url: string) {
  const { createScript } = integrityPlugin([entry]);
  const script = createScript?.({ url });
  return script instanceof HTMLScriptElement ? script : undefined;
}

test('the script of an entry carries its integrity and what else its preload link says', () => {
  const url = `${location.origin}${entry.url}`;
  expect(scriptFor(url)).toMatchObject({
    src: url,
    integrity: 'sha384-AAAA',
    crossOrigin: 'anonymous',
    async: true,
  });
});

test('an address that the release document does not name is left to the runtime', () => {
  expect(scriptFor(`${location.origin}/mf-pricing/1.0.1/entry.js`)).toBeUndefined();
  expect(scriptFor(`https://elsewhere.example${entry.url}`)).toBeUndefined();
});

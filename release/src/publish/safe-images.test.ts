import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partManifest } from '@countersign/contracts/part-manifest';
import { builtRemote } from '../testing/built-part.ts';
import { assertSafeImages } from './safe-images.ts';

const manifest = partManifest.parse(JSON.parse(String(builtRemote('mf-pricing', '1.0.0')['part.json'])));
const assertSafe = (image: string | Buffer) =>
  assertSafeImages(manifest, new Map([['images/plan.svg', Buffer.from(image as string)]]));
const drawing = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;

// An image is a page of the site if it is opened alone.
for (const [what, image] of [
  ['with a script', drawing('<script>alert(1)</script>')],
  [
    'with a script with a prefix',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>',
  ],
  ['with an event attribute', drawing('<path onload="alert(1)"/>')],
  ['with HTML', drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Log in</p></foreignObject>')],
  ['that is an HTML document', '<html xmlns="http://www.w3.org/1999/xhtml"><body>Log in</body></html>'],
  ['with a link', drawing('<a href="&#106;avascript:alert(1)"><text>a</text></a>')],
  ['with an animated link', drawing('<a><animate attributeName="href" values="https://evil.example/"/></a>')],
  ['with an entity', `<!DOCTYPE svg [<!ENTITY a "<script/>">]>${drawing('&a;')}`],
  ['with a stylesheet', `<?xml-stylesheet href="a.css"?>${drawing('')}`],
  ['in another encoding', `<?xml version="1.0" encoding="UTF-7"?>${drawing('')}`],
  ['that is no XML', drawing('<script>alert(1)</script><p>')],
  ['that is no UTF-8', Buffer.from(`\ufeff${drawing('')}`, 'utf16le')],
] as const) {
  test(`images: one ${what} is refused`, () => {
    const message = /^mf-pricing 1\.0\.0 cannot be published: images\/plan\.svg .*\. .*\.$/;
    assert.throws(() => assertSafe(image), { name: 'ReleaseError', message });
  });
}

test('images: one as drawing programs export it is safe', () => {
  const exported = `\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1">
      <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
      <style>.a { fill: red }</style><defs><path id="a" d="M0 0h1v1z"/></defs>
      <use xlink:href="#a" class="a" style="fill: red"/><image href="data:image/png;base64,AAAA"/>
      <circle r="1"><animate attributeName="r" to="2" dur="1s"/></circle>
    </svg>`;
  assertSafe(exported);
});

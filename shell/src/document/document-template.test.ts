import { brand } from '@countersign/contracts/brand';
import { documentMarkers, siteOriginPlaceholder } from '@countersign/contracts/part-manifest';
import { slotAttributes, slotMarker } from '@countersign/contracts/page-markup';
import { screen } from '@testing-library/react';
import { runInline } from '../testing/run-inline.ts';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import { documentTemplate } from './document-template.ts';
import { landingMetadata } from './head-metadata.ts';
import { landingBody, notFoundBody } from './page-bodies.ts';
import { landingPageSlots } from '../page/landing-page-slots.ts';
import { rootElementId, splashElementId } from '../page/element-ids.ts';

const html = documentTemplate({ metadata: landingMetadata, body: landingBody });
const page = new DOMParser().parseFromString(html, 'text/html');

test.each(Object.entries(documentMarkers))(
  'the composer finds the marker of the %s exactly once',
  (_, marker) => {
    expect(html.split(marker)).toHaveLength(2);
  },
);

test('template: inline scripts follow the markup that they read', () => {
  const themeScriptStart = html.indexOf(themeStorageKey);
  expect(html.indexOf(documentMarkers.head)).toBeLessThan(themeScriptStart);
  expect(themeScriptStart).toBeLessThan(html.indexOf('<body'));
  // Two scripts need all slots: one swaps the markup of canaries, the other restores the scroll position.
  const end = html.slice(html.indexOf(documentMarkers.scripts) + documentMarkers.scripts.length);
  expect(end.match(/<script/g)).toHaveLength(2);
});

test('template: the splash is inlined, and hidden without JavaScript', () => {
  expect(page.getElementById(splashElementId)?.textContent).toContain(brand);
  expect(page.querySelector('style')?.textContent).toContain(
    `html:not([data-theme]) #${splashElementId}{display:none}`,
  );
  expect(page.getElementById(rootElementId)?.hasAttribute('inert')).toBe(false);
});

test('template: slots are in order, in their landmarks', () => {
  const slots = html.slice(html.indexOf('<a class="skip-link"')).match(/<\/?main|<!--compose:slot .*?-->/g);
  const markers = (part: keyof typeof landingPageSlots) =>
    landingPageSlots[part].map(({ remote, exposed }) => slotMarker(remote, exposed));
  expect(slots).toEqual([...markers('header'), '<main', ...markers('main'), '</main', ...markers('footer')]);
});

describe('the 404 page', () => {
  const notFound = documentTemplate({ metadata: '', body: notFoundBody });

  test('shows the path and links to the home page', () => {
    history.replaceState(null, '', '/<b>nowhere');
    const { body } = new DOMParser().parseFromString(notFound, 'text/html');
    const main = body.querySelector('main');
    document.body.replaceChildren(...(main ? [main] : []));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('404 Page Not Found');
    expect(screen.getByRole('main')).toHaveTextContent('There is nothing at this address.');
    runInline([...body.querySelectorAll('script')].find(({ text }) => text.includes('pathname'))?.text ?? '');
    expect(screen.getByRole('main')).toHaveTextContent('There is nothing at /%3Cb%3Enowhere.');
    expect(screen.getByRole('link', { name: `Back to ${brand}` })).toHaveAttribute('href', '/');
  });
});

test('template: the first paint needs no request', () => {
  expect(page.querySelectorAll('script[src], link[rel~=stylesheet], link[rel~=preload], img')).toHaveLength(
    0,
  );
  expect(page.querySelector('style')?.textContent).not.toMatch(/url\(|@import/);
});

test('template: contains no URL of another site', () => {
  const origins = html.match(/https?:\/\/[^/"'\s<]+/g) ?? [];
  const namesOfFormats = ['https://schema.org'];
  expect(new Set(origins)).toEqual(new Set([siteOriginPlaceholder, ...namesOfFormats]));
});

describe('the script that requires a browser', () => {
  const [script] = [...page.scripts].filter(({ type }) => type === '');
  const root = document.documentElement;

  /** jsdom has neither of the two features: constructed stylesheets and `CSS.supports`. */
  const browserWith = (supports: boolean) => {
    Object.assign(globalThis, { CSS: { supports: () => supports } });
    Object.assign(document, { adoptedStyleSheets: [] });
  };

  beforeEach(() => {
    document.head.replaceChildren();
    root.setAttribute(slotAttributes.plain, '');
  });
  afterEach(() => {
    root.removeAttribute(slotAttributes.plain);
    Reflect.deleteProperty(document, 'adoptedStyleSheets');
    Reflect.deleteProperty(globalThis, 'CSS');
  });

  test('is the first one, and old browsers can parse it', () => {
    expect(script?.text).toContain(slotAttributes.plain);
    expect(script?.text).not.toMatch(/=>|`|\?[.?]|\b(?:let|const|class)\b|\.\.\.|catch\s*\{/);
  });

  test('ends the plain state that the HTML begins with', () => {
    expect(page.documentElement.hasAttribute(slotAttributes.plain)).toBe(true);
    browserWith(true);
    runInline(script?.text ?? '');
    expect(root).not.toHaveAttribute(slotAttributes.plain);
  });

  test.each([
    ['constructed stylesheets', () => undefined],
    ['the :has() selector', () => browserWith(false)],
  ])('keeps the page plain and blocks scripts without %s', (_, prepare) => {
    prepare();
    runInline(script?.text ?? '');
    expect(root).toHaveAttribute(slotAttributes.plain);
    const policy = document.head.querySelector('meta');
    expect(policy).toHaveAttribute('http-equiv', 'Content-Security-Policy');
    expect(policy).toHaveAttribute('content', "script-src 'none'");
  });
});

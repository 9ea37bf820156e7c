import { siteConfigElementId } from '@countersign/contracts/data-blocks';
import { brand } from '@countersign/contracts/brand';
import { documentMarkers, siteOriginPlaceholder } from '@countersign/contracts/part-manifest';
import { screen } from '@testing-library/react';
import { addDataBlock } from '../testing/add-data-block.ts';
import { runInline } from '../testing/run-inline.ts';
import { sampleConfig } from '../testing/sample-config.ts';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { documentTemplate } from './document-template.ts';
import { landingMetadata } from './head-metadata.ts';
import { landingBody, notFoundBody } from './page-bodies.ts';
import { rootElementId, splashElementId } from './element-ids.ts';

const html = documentTemplate({ metadata: landingMetadata, body: landingBody });
const page = new DOMParser().parseFromString(html, 'text/html');

test.each(Object.entries(documentMarkers))(
  'the composer finds the marker of the %s exactly once',
  (_, marker) => {
    expect(html.split(marker)).toHaveLength(2);
  },
);

test('the head marker stands before the script that reads the configuration, the shell’s script before the last one', () => {
  const script = html.indexOf('<script>');
  expect(script).toBeGreaterThan(-1);
  expect(html.indexOf(documentMarkers.head)).toBeLessThan(script);
  const end = html.slice(html.indexOf(documentMarkers.scripts) + documentMarkers.scripts.length);
  expect(end.match(/<script/g)).toHaveLength(1);
});

test('the page says which language it is in', () => {
  expect(page.documentElement.lang).toBe('en');
});

test('the splash with the brand is there with the first bytes, and without script it does not cover the page', () => {
  expect(page.getElementById(splashElementId)?.textContent).toContain(brand);
  expect(page.querySelector('style')?.textContent).toContain(
    `html:not([data-theme]) #${splashElementId}{display:none}`,
  );
  expect(page.getElementById(rootElementId)?.hasAttribute('inert')).toBe(false);
});

test('the page behind the splash cannot be used before it is over', () => {
  document.body.innerHTML = `<div id="${rootElementId}"></div>`;
  const root = page.getElementById(rootElementId);
  expect(root?.firstElementChild?.localName).toBe('script');
  runInline(root?.firstElementChild?.textContent ?? '');
  expect(document.getElementById(rootElementId)?.inert).toBe(true);
});

test('a visitor meets the sections in the order of the product’s page, in their landmarks', () => {
  const slots = html
    .slice(html.indexOf('<a class="skip-link"'))
    .match(/<\/?main|compose:slot [\w-]+ [./\w-]+(?=-->)/g);
  expect(slots?.map((slot) => slot.replace('compose:slot ', ''))).toEqual([
    'mf-header ./header',
    '<main',
    'mf-content ./hero',
    'mf-content ./trust-indicators',
    'mf-content ./platform-availability',
    'mf-content ./features',
    'mf-content ./workflow',
    'mf-content ./multi-party-signing',
    'mf-content ./why-choose-us',
    'mf-pricing ./pricing',
    'mf-content ./testimonials',
    'mf-leads ./call-to-action',
    '</main',
    'mf-content ./footer',
  ]);
});

test('the first link leads past the header to the content', () => {
  const [link] = page.querySelectorAll('a');
  expect(link?.textContent).toBe('Skip to content');
  expect(link?.getAttribute('href')).toBe(`#${page.querySelector('main')?.id}`);
});

describe('the page that answers an unknown path', () => {
  const notFound = documentTemplate({ metadata: '', body: notFoundBody });

  test('says so, names the path, and leads home', () => {
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

  test('has no slot', () => {
    expect(notFound).not.toContain('compose:slot');
  });
});

test('the first paint waits for no request: styles and script stand in the page', () => {
  expect(page.querySelectorAll('script[src], link[rel~=stylesheet], link[rel~=preload], img')).toHaveLength(
    0,
  );
  expect(page.querySelector('style')?.textContent).not.toMatch(/url\(|@import/);
});

test('no address of another site is in the page', () => {
  const origins = html.match(/https?:\/\/[^/"'\s<]+/g) ?? [];
  const namesOfFormats = ['https://schema.org'];
  expect(new Set(origins)).toEqual(new Set([siteOriginPlaceholder, ...namesOfFormats]));
});

describe('the first script', () => {
  const script = [...page.scripts].find(({ type }) => type === '');

  beforeEach(() => {
    localStorage.clear();
    document.head.replaceChildren();
    delete document.documentElement.dataset['theme'];
  });

  test('shows the theme that the visitor has chosen', () => {
    stubMediaQueries();
    localStorage.setItem('countersign-theme', 'dark');
    runInline(script?.text ?? '');
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  });

  test('shows the default of the deployment to a visitor who has not chosen', () => {
    stubMediaQueries('(prefers-color-scheme: dark)');
    addDataBlock(siteConfigElementId, { ...sampleConfig, defaultTheme: 'light' });
    runInline(script?.text ?? '');
    expect(document.documentElement).toHaveAttribute('data-theme', 'light');
  });
});

import { siteConfigElementId } from '@countersign/contracts/data-blocks';
import { brand } from '@countersign/contracts/brand';
import { trapField } from '@countersign/contracts/lead';
import { documentMarkers, siteOriginPlaceholder } from '@countersign/contracts/part-manifest';
import { screen } from '@testing-library/react';
import { addDataBlock } from '../testing/add-data-block.ts';
import { runInline } from '../testing/run-inline.ts';
import { sampleConfig } from '../testing/sample-config.ts';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { documentTemplate } from './document-template.ts';
import { landingMetadata } from './head-metadata.ts';
import { rootElementId, splashElementId } from './element-ids.ts';

const html = documentTemplate(landingMetadata);
const page = new DOMParser().parseFromString(html, 'text/html');

test.each(Object.entries(documentMarkers))(
  'the composer finds the marker of the %s exactly once',
  (_, marker) => {
    expect(html.split(marker)).toHaveLength(2);
  },
);

test('the head marker stands before the script that reads the configuration, the other one last in the body', () => {
  const script = html.indexOf('<script>');
  expect(script).toBeGreaterThan(-1);
  expect(html.indexOf(documentMarkers.head)).toBeLessThan(script);
  const end = html.slice(html.indexOf(documentMarkers.scripts) + documentMarkers.scripts.length);
  expect(end.trim()).toBe('</body>\n</html>');
});

test('the page says which language it is in', () => {
  expect(page.documentElement.lang).toBe('en');
});

test('the splash with the brand is there with the first bytes, and the page behind it cannot be used yet', () => {
  expect(page.getElementById(splashElementId)?.textContent).toContain(brand);
  const root = page.getElementById(rootElementId);
  expect(root?.hasAttribute('inert')).toBe(true);
  expect(root?.childNodes).toHaveLength(0);
});

describe('a visitor without JavaScript', () => {
  beforeEach(() => {
    document.body.innerHTML = page.querySelector('noscript')?.innerHTML ?? '';
  });

  test('is told that it is needed', () => {
    expect(screen.getByRole('main')).toHaveTextContent('needs JavaScript');
  });

  test('gets a form that the browser sends by itself', () => {
    const { form } = screen.getByRole<HTMLButtonElement>('button', { name: 'Send Message' });
    expect(form?.getAttribute('action')).toBe('/api/contact');
    expect(form?.method).toBe('post');
    expect(form?.enctype).toBe('application/x-www-form-urlencoded');
    expect([...new FormData(form ?? undefined).keys()]).toEqual([
      'name',
      'email',
      'company',
      'message',
      trapField,
    ]);
  });

  test.each([
    { name: 'Name', asterisk: true },
    { name: 'Email', asterisk: true },
    { name: 'Company (optional)', asterisk: false },
    { name: 'Message', asterisk: true },
  ])('sees that $name carries an asterisk: $asterisk', ({ name, asterisk }) => {
    const field = screen.getByRole<HTMLInputElement>('textbox', { name });
    expect(field.required).toBe(asterisk);
    expect(field.labels?.[0]?.textContent.includes('*')).toBe(asterisk);
  });

  test('does not meet the field that nobody should fill in', () => {
    expect(screen.getAllByRole('textbox')).toHaveLength(4);
    const trap = document.querySelector(`[name=${trapField}]`);
    expect(trap).toHaveAttribute('tabindex', '-1');
    expect(trap).toHaveAttribute('autocomplete', 'off');
  });

  test('is not left with the splash', () => {
    const styles = page.querySelector('style')?.textContent;
    expect(styles).toContain(`body:has(.plain) #${splashElementId}{display:none}`);
    expect(screen.getByRole('main')).toHaveClass('plain');
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

test('the scripts that run stand in the head, before the body is painted', () => {
  const scripts = [...page.scripts].filter(({ type }) => type === '');
  expect(scripts.map(({ parentElement }) => parentElement)).toEqual([page.head, page.head]);
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

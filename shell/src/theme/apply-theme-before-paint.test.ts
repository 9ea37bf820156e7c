import { siteConfigElementId } from '@countersign/contracts/page-markup';
import { darkColors, tokens } from '@countersign/design-tokens';
import { addDataBlock } from '../testing/add-data-block.ts';
import { runInline } from '../testing/run-inline.ts';
import { sampleConfig } from '../testing/sample-config.ts';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { landingMetadata } from '../document/head-metadata.ts';
import { themeScript } from './apply-theme-before-paint.ts';
import { themeStorageKey } from '@countersign/contracts/shell-api';
import { createThemeStore } from './theme-store.ts';

const systemIsDark = '(prefers-color-scheme: dark)';

beforeEach(() => {
  localStorage.clear();
  document.head.replaceChildren();
  delete document.documentElement.dataset['theme'];
  stubMediaQueries();
});
afterEach(() => void jest.restoreAllMocks());

/** Runs the inlined source text and returns the theme of the first paint. */
function themeOfFirstPaint(): string | undefined {
  runInline(themeScript(themeStorageKey, siteConfigElementId));
  return document.documentElement.dataset['theme'];
}

/** Colours of the browser's own surfaces that apply whatever the system setting is. */
const browserColors = () =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
    .filter((meta) => meta.getAttribute('media') !== 'not all')
    .map((meta) => [meta.content, meta.getAttribute('media')]);

const backgrounds = { light: tokens['color-background'], dark: darkColors['color-background'] };

const cases = [
  { stored: null, defaultTheme: 'light', system: 'dark', expected: 'light' },
  { stored: null, defaultTheme: 'system', system: 'dark', expected: 'dark' },
  { stored: null, defaultTheme: 'system', system: 'light', expected: 'light' },
  { stored: 'light', defaultTheme: 'system', system: 'dark', expected: 'light' },
  { stored: 'dark', defaultTheme: 'light', system: 'light', expected: 'dark' },
  { stored: 'system', defaultTheme: 'light', system: 'dark', expected: 'dark' },
  { stored: 'system', defaultTheme: 'light', system: 'light', expected: 'light' },
  { stored: 'sepia', defaultTheme: 'light', system: 'dark', expected: 'light' },
  { stored: 'sepia', defaultTheme: 'system', system: 'dark', expected: 'dark' },
] as const;

test.each(cases)(
  'the first paint is $expected and stays so: stored $stored, default $defaultTheme, system $system',
  ({ stored, defaultTheme, system, expected }) => {
    if (stored) localStorage.setItem(themeStorageKey, stored);
    if (system === 'dark') stubMediaQueries(systemIsDark);
    addDataBlock(siteConfigElementId, { ...sampleConfig, defaultTheme });

    document.head.insertAdjacentHTML('beforeend', landingMetadata);
    expect(themeOfFirstPaint()).toBe(expected);
    expect(browserColors()).toEqual([[backgrounds[expected], 'all']]);
    delete document.documentElement.dataset['theme'];
    const preference = stored === null || stored === 'sepia' ? defaultTheme : stored;
    expect(createThemeStore(defaultTheme).get()).toBe(preference);
    expect(document.documentElement.dataset['theme']).toBe(expected);
  },
);

test('first paint: without storage, the deployment’s default applies', () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError');
  });
  stubMediaQueries(systemIsDark);
  addDataBlock(siteConfigElementId, sampleConfig);
  expect(themeOfFirstPaint()).toBe('light');
});

test('first paint: without configuration, the system setting applies', () => {
  stubMediaQueries(systemIsDark);
  expect(themeOfFirstPaint()).toBe('dark');
});

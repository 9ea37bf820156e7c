import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { createThemeStore } from './theme-store.ts';

const systemIsDark = '(prefers-color-scheme: dark)';
const storageKey = 'countersign-theme';

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset['theme'];
  stubMediaQueries();
});
afterEach(() => void jest.restoreAllMocks());

const shownTheme = () => document.documentElement.dataset['theme'];

/** What the browser does here when another tab changes its storage; `null` takes the choice away. */
function changeInAnotherTab(choice: string | null, key: string | null = storageKey) {
  if (choice === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  dispatchEvent(new StorageEvent('storage', { key, newValue: choice }));
}

test('a visitor without a choice gets the default of the deployment', () => {
  stubMediaQueries(systemIsDark);
  expect(createThemeStore('light').get()).toBe('light');
  expect(shownTheme()).toBe('light');
});

test.each([
  ['dark', [systemIsDark]],
  ['light', []],
] as const)('the system theme is shown as %s where the system is', (theme, matching) => {
  stubMediaQueries(...matching);
  expect(createThemeStore('system').get()).toBe('system');
  expect(shownTheme()).toBe(theme);
});

test('a stored choice wins over the default', () => {
  localStorage.setItem(storageKey, 'dark');
  expect(createThemeStore('light').get()).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

test('a stored value that is no theme counts as no choice', () => {
  localStorage.setItem(storageKey, 'sepia');
  expect(createThemeStore('light').get()).toBe('light');
});

test('a choice shows at once and is there on the next visit', () => {
  const first = createThemeStore('light');
  first.set('dark');
  expect(first.get()).toBe('dark');
  expect(shownTheme()).toBe('dark');
  expect(localStorage.getItem(storageKey)).toBe('dark');

  expect(createThemeStore('light').get()).toBe('dark');
});

test('the system theme follows the system while the page is open', () => {
  const system = stubMediaQueries();
  createThemeStore('system');
  system.change(systemIsDark, true);
  expect(shownTheme()).toBe('dark');
  system.change(systemIsDark, false);
  expect(shownTheme()).toBe('light');
});

test('a visitor who has chosen does not follow the system any more', () => {
  const system = stubMediaQueries();
  const theme = createThemeStore('system');
  theme.set('light');
  system.change(systemIsDark, true);
  expect(shownTheme()).toBe('light');
});

test('a choice made in another tab shows here as well', () => {
  const theme = createThemeStore('light');
  changeInAnotherTab('dark');
  expect(theme.get()).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

test('the default returns when another tab removes the choice', () => {
  localStorage.setItem(storageKey, 'dark');
  const theme = createThemeStore('light');
  changeInAnotherTab(null);
  expect(theme.get()).toBe('light');
});

test('what another tab stores under other keys changes nothing', () => {
  const theme = createThemeStore('light');
  changeInAnotherTab('dark', 'something-else');
  expect(theme.get()).toBe('light');
});

test('where storage is blocked the choice lasts as long as the page', () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError');
  });
  const theme = createThemeStore('light');
  expect(shownTheme()).toBe('light');
  theme.set('dark');
  expect(theme.get()).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

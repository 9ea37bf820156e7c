import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { createThemeStore } from './theme-store.ts';

const storageKey = 'countersign-theme';

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset['theme'];
  stubMediaQueries();
});
afterEach(() => void jest.restoreAllMocks());

const shownTheme = () => document.documentElement.dataset['theme'];

/** Simulates a storage change by another tab; `null` removes the value. */
function changeInAnotherTab(choice: string | null, key: string | null = storageKey) {
  if (choice === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  dispatchEvent(new StorageEvent('storage', { key, newValue: choice }));
}

test('theme: a choice in another tab applies as well', () => {
  const theme = createThemeStore('light');
  changeInAnotherTab('dark');
  expect(theme.get()).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

test('theme: the default returns when another tab clears the preference', () => {
  localStorage.setItem(storageKey, 'dark');
  const theme = createThemeStore('light');
  changeInAnotherTab(null);
  expect(theme.get()).toBe('light');
});

test('theme: other storage keys are ignored', () => {
  const theme = createThemeStore('light');
  changeInAnotherTab('dark', 'something-else');
  expect(theme.get()).toBe('light');
});

test('theme: without storage, a choice lasts until unload', () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError');
  });
  const theme = createThemeStore('light');
  expect(shownTheme()).toBe('light');
  theme.set('dark');
  expect(theme.get()).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

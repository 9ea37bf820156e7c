import type { ThemePreference } from '@countersign/contracts/theme-preference';
import { act, renderHook } from '@testing-library/react';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { useTheme } from './use-theme.ts';

const systemIsDark = '(prefers-color-scheme: dark)';
const storageKey = 'countersign-theme';

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset['theme'];
  stubMediaQueries();
});
afterEach(() => void jest.restoreAllMocks());

const shownTheme = () => document.documentElement.dataset['theme'];

function renderTheme(defaultTheme: ThemePreference = 'system') {
  const { result, unmount } = renderHook(() => useTheme(defaultTheme));
  return { theme: () => result.current, unmount };
}

/** What the browser does here when another tab changes its storage; `null` takes the choice away. */
function changeInAnotherTab(choice: string | null, key: string | null = storageKey) {
  if (choice === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  act(() => void dispatchEvent(new StorageEvent('storage', { key, newValue: choice })));
}

test('a visitor without a choice gets the default of the deployment', () => {
  stubMediaQueries(systemIsDark);
  expect(renderTheme('light').theme().preference).toBe('light');
  expect(shownTheme()).toBe('light');
});

test.each([
  ['dark', [systemIsDark]],
  ['light', []],
] as const)('the system theme is shown as %s where the system is', (theme, matching) => {
  stubMediaQueries(...matching);
  expect(renderTheme('system').theme().preference).toBe('system');
  expect(shownTheme()).toBe(theme);
});

test('a stored choice wins over the default', () => {
  localStorage.setItem(storageKey, 'dark');
  expect(renderTheme('light').theme().preference).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

test('a stored value that is no theme counts as no choice', () => {
  localStorage.setItem(storageKey, 'sepia');
  expect(renderTheme('light').theme().preference).toBe('light');
});

test('a choice shows at once and is there on the next visit', () => {
  const first = renderTheme('light');
  act(() => first.theme().setPreference('dark'));
  expect(first.theme().preference).toBe('dark');
  expect(shownTheme()).toBe('dark');
  expect(localStorage.getItem(storageKey)).toBe('dark');

  first.unmount();
  expect(renderTheme('light').theme().preference).toBe('dark');
});

test('the system theme follows the system while the page is open', () => {
  const system = stubMediaQueries();
  renderTheme('system');
  act(() => system.change(systemIsDark, true));
  expect(shownTheme()).toBe('dark');
  act(() => system.change(systemIsDark, false));
  expect(shownTheme()).toBe('light');
});

test('a visitor who has chosen does not follow the system any more', () => {
  const system = stubMediaQueries();
  const { theme } = renderTheme('system');
  act(() => theme().setPreference('light'));
  act(() => system.change(systemIsDark, true));
  expect(shownTheme()).toBe('light');
});

test('a choice made in another tab shows here as well', () => {
  const { theme } = renderTheme('light');
  changeInAnotherTab('dark');
  expect(theme().preference).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

test('the default returns when another tab removes the choice', () => {
  localStorage.setItem(storageKey, 'dark');
  const { theme } = renderTheme('light');
  changeInAnotherTab(null);
  expect(theme().preference).toBe('light');
});

test('what another tab stores under other keys changes nothing', () => {
  const { theme } = renderTheme('light');
  changeInAnotherTab('dark', 'something-else');
  expect(theme().preference).toBe('light');
});

test('where storage is blocked the choice lasts as long as the page', () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError');
  });
  const { theme } = renderTheme('light');
  expect(shownTheme()).toBe('light');
  act(() => theme().setPreference('dark'));
  expect(theme().preference).toBe('dark');
  expect(shownTheme()).toBe('dark');
});

import { createThemeStore } from '../theme/theme-store.ts';
import { sampleConfig } from '../testing/sample-config.ts';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { createShellApiStore } from './shell-api-store.ts';

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/#before');
  stubMediaQueries();
  Object.assign(Element.prototype, { scrollIntoView: () => {} });
  document.body.replaceChildren();
});

function createStore() {
  const [notify, signIn] = [jest.fn(), jest.fn()];
  const theme = createThemeStore('light');
  const store = createShellApiStore({
    config: sampleConfig,
    releaseId: 'r-000000000001',
    theme,
    notify,
    signIn,
  });
  return { store, theme, notify, signIn };
}

test('a remote learns the release and the application host', () => {
  expect(createStore().store.get().page).toEqual({
    releaseId: 'r-000000000001',
    appHost: 'https://app.example',
  });
});

test('sign in and notices go to the page', () => {
  const { store, notify, signIn } = createStore();
  store.get().signIn();
  store.get().notify({ title: 'Success!' });
  expect(signIn).toHaveBeenCalledTimes(1);
  expect(notify).toHaveBeenCalledWith({ title: 'Success!' });
});

test('scrolling to a section puts its anchor into the address, so that the visitor can go back', () => {
  document.body.innerHTML = '<section id="pricing" aria-label="Pricing"></section>';
  const entries = history.length;
  createStore().store.get().scrollToSection('pricing');
  expect(document.activeElement?.id).toBe('pricing');
  expect(location.hash).toBe('#pricing');
  expect(history.length).toBe(entries + 1);
});

test('scrolling to a section that is missing leaves the address alone', () => {
  createStore().store.get().scrollToSection('features');
  expect(location.hash).toBe('#before');
});

test('remotes get a new object only when the theme has changed, and are told', () => {
  const { store, theme } = createStore();
  const before = store.get();
  const told = jest.fn();
  store.subscribe(told);
  expect(store.get()).toBe(before);
  theme.set('dark');
  expect(told).toHaveBeenCalledTimes(1);
  expect(store.get().theme.preference).toBe('dark');
  expect(store.get()).toBe(store.get());
});

test('what the markup was made with stays: a visitor without a choice', () => {
  localStorage.setItem('countersign-theme', 'dark');
  const { store } = createStore();
  expect(store.get().theme.preference).toBe('dark');
  expect(store.getPrerendered().theme.preference).toBe('system');
  expect(store.getPrerendered()).toBe(store.getPrerendered());
});

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
    shownParts: () => [],
  });
  return { store, theme, notify, signIn };
}

test('shell API: remotes get the release ID and the settings of the site', () => {
  expect(createStore().store.get().page).toMatchObject({
    releaseId: 'r-000000000001',
    appHost: 'https://app.example',
  });
});

test('shell API: sign in and toasts call the page', () => {
  const { store, notify, signIn } = createStore();
  store.get().signIn();
  store.get().notify({ title: 'Success!' });
  expect(signIn).toHaveBeenCalledTimes(1);
  expect(notify).toHaveBeenCalledWith({ title: 'Success!' });
});

test('shell API: scrolling adds the anchor to the browser history', () => {
  document.body.innerHTML = '<section id="pricing" aria-label="Pricing"></section>';
  const entries = history.length;
  createStore().store.get().scrollToSection('pricing');
  expect(document.activeElement?.id).toBe('pricing');
  expect(location.hash).toBe('#pricing');
  expect(history.length).toBe(entries + 1);
});

test('shell API: a missing section leaves the URL unchanged', () => {
  createStore().store.get().scrollToSection('features');
  expect(location.hash).toBe('#before');
});

test('shell API: the object changes only with the theme, and subscribers are notified', () => {
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

test('shell API: the prerendered value has no stored preference', () => {
  localStorage.setItem('countersign-theme', 'dark');
  const { store } = createStore();
  expect(store.get().theme.preference).toBe('dark');
  expect(store.getPrerendered().theme.preference).toBe('system');
  expect(store.getPrerendered()).toBe(store.getPrerendered());
});

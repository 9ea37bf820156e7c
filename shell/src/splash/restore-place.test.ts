import { runInline } from '../testing/run-inline.ts';
import { restorePlaceScript } from './restore-place.ts';

/**
 * Loads the page in an entry of the history, and returns the mock of `scrollTo`. The restored place after a reload is tested in
 * browsers, by `e2e/src/page/scroll-position.test.ts`.
 */
function loadPage(type: 'navigate' | 'reload' | 'back_forward', key: string) {
  const scrollTo = jest.fn();
  const navigation = Object.assign(new EventTarget(), { currentEntry: { key } });
  Object.assign(window, { navigation, scrollTo });
  Object.assign(performance, { getEntriesByType: () => [{ type }] });
  runInline(restorePlaceScript);
  return scrollTo;
}

function leavePage(scrollY: number) {
  Object.assign(window, { scrollY });
  window.dispatchEvent(new Event('pagehide'));
}

beforeEach(() => sessionStorage.clear());

test.each([
  { load: 'a new visit', type: 'navigate', key: 'a' },
  { load: 'another entry of the history', type: 'back_forward', key: 'b' },
] as const)('place: $load is left to the browser', ({ type, key }) => {
  loadPage('navigate', 'a');
  leavePage(4000);
  expect(loadPage(type, key)).not.toHaveBeenCalled();
});

test('place: if the visitor leaves before `load`, the browser restores the entry again', () => {
  loadPage('navigate', 'a');
  leavePage(4000);
  loadPage('reload', 'a');
  expect(history.scrollRestoration).toBe('manual');
  window.navigation?.dispatchEvent(new Event('navigate'));
  expect(history.scrollRestoration).toBe('auto');
});

test('place: without storage it is left to the browser', () => {
  const storage = jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError');
  });
  expect(loadPage('reload', 'a')).not.toHaveBeenCalled();
  storage.mockRestore();
});

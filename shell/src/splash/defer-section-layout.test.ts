import { runInline } from '../testing/run-inline.ts';
import { deferSectionLayoutScript } from './defer-section-layout.ts';
import { splashScript } from './splash-scripts.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  document.documentElement.removeAttribute('data-lazy-layout');
  location.hash = '';
});

function navigate(type: NavigationTimingType): void {
  Object.defineProperty(performance, 'getEntriesByType', { configurable: true, value: () => [{ type }] });
  runInline(deferSectionLayoutScript);
}

const isLazy = () => document.documentElement.hasAttribute('data-lazy-layout');

test('deferred layout: a new visit begins with the first screen', () => {
  navigate('navigate');
  expect(isLazy()).toBe(true);
});

test.each(['reload', 'back_forward'] as const)(
  'deferred layout: a %s lays out the whole page, because the browser restores the scroll position',
  (type) => {
    navigate(type);
    expect(isLazy()).toBe(false);
  },
);

test('deferred layout: an address with a hash lays out the whole page, because the browser scrolls to it', () => {
  location.hash = '#pricing';
  navigate('navigate');
  expect(isLazy()).toBe(false);
});

test('deferred layout: a tab in the background lays out the whole page, because it paints nothing', () => {
  jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  navigate('navigate');
  expect(isLazy()).toBe(false);
});

test('deferred layout: a page that scrolls is laid out at once', () => {
  navigate('navigate');
  dispatchEvent(new Event('scroll'));
  expect(isLazy()).toBe(false);
});

test.each([
  ['in the window stays there', 20, 1],
  ['outside of the window does not scroll the page', -500, 0],
] as const)('deferred layout: a focused link %s', (_claim, top, times) => {
  const scrollIntoView = jest.fn();
  document.body.innerHTML = '<a href="/">Contact</a>';
  const link = document.querySelector('a') as HTMLElement;
  Object.assign(link, { scrollIntoView, getBoundingClientRect: () => new DOMRect(0, top, 10, 10) });
  navigate('navigate');
  link.focus();
  dispatchEvent(new Event('scroll'));
  expect(isLazy()).toBe(false);
  expect(scrollIntoView).toHaveBeenCalledTimes(times);
});

test('deferred layout: it ends with the splash, unless the shell has begun with its steps', () => {
  jest.spyOn(performance, 'now').mockReturnValue(2000);
  for (const [value, staysLazy] of [
    ['', false],
    ['steps', true],
  ] as const) {
    navigate('navigate');
    document.documentElement.setAttribute('data-lazy-layout', value);
    runInline(splashScript);
    jest.advanceTimersByTime(0);
    expect(isLazy()).toBe(staysLazy);
  }
});

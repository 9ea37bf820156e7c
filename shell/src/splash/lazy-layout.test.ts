import { runInline } from '../testing/run-inline.ts';
import { beginLazyLayoutScript, endLazyLayoutScript } from './lazy-layout.ts';
import { splashScript } from './splash-scripts.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  document.documentElement.removeAttribute('data-lazy-layout');
  document.documentElement.removeAttribute('data-heights-known');
  location.hash = '';
});

function navigate(type: NavigationTimingType): void {
  Object.defineProperty(performance, 'getEntriesByType', { configurable: true, value: () => [{ type }] });
  runInline(beginLazyLayoutScript);
}

const isLazy = () => document.documentElement.hasAttribute('data-lazy-layout');

test('lazy layout: a new visit begins with the first screen', () => {
  navigate('navigate');
  expect(isLazy()).toBe(true);
});

test.each(['reload', 'back_forward'] as const)(
  'lazy layout: a %s lays out the whole page, because the browser restores the scroll position',
  (type) => {
    navigate(type);
    expect(isLazy()).toBe(false);
  },
);

test('lazy layout: an address with a hash lays out the whole page, because the browser scrolls to it', () => {
  location.hash = '#pricing';
  navigate('navigate');
  expect(isLazy()).toBe(false);
});

test('lazy layout: a tab in the background lays out the whole page, because it paints nothing', () => {
  jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  navigate('navigate');
  expect(isLazy()).toBe(false);
});

describe('lazy layout', () => {
  const laidOut = () => document.querySelectorAll('[data-laid-out]').length;
  const skipsFarSections = () => document.documentElement.hasAttribute('data-heights-known');

  /** Runs all steps, and then the frames in which the browser records the heights. */
  async function layOutAll(): Promise<void> {
    jest.advanceTimersByTime(1000);
    await document.fonts.ready;
    jest.advanceTimersByTime(1000);
  }

  let textChangesSize: () => void;
  let comesIntoView: (sections: readonly Element[]) => void;

  beforeEach(() => {
    Object.assign(document, { fonts: { ready: Promise.resolve() } });
    Object.assign(globalThis, {
      ResizeObserver: class {
        readonly observe = jest.fn();
        constructor(onResize: () => void) {
          textChangesSize = onResize;
        }
      },
      IntersectionObserver: class {
        readonly observe = jest.fn();
        readonly disconnect = jest.fn();
        constructor(onChange: (entries: readonly Partial<IntersectionObserverEntry>[]) => void) {
          comesIntoView = (targets) => onChange(targets.map((target) => ({ target, isIntersecting: true })));
        }
      },
    });
    const slot = '<div data-remote="mf-content"><section></section></div>';
    document.body.innerHTML = `<a class="skip-link">Skip to content</a><div data-remote="mf-header"></div>
      <main>${slot.repeat(5)}<section id="contact"></section>${slot}</main>${slot}`;
    navigate('navigate');
    runInline(endLazyLayoutScript);
  });

  test('after the first frame every slot below the header is laid out, three at a time', () => {
    expect(laidOut()).toBe(0);
    jest.advanceTimersToNextFrame();
    for (const expected of [3, 6, 7]) {
      expect(isLazy()).toBe(true);
      jest.advanceTimersToNextTimer();
      expect(laidOut()).toBe(expected);
    }
    expect(document.querySelector('[data-remote="mf-header"]')).not.toHaveAttribute('data-laid-out');
    expect(isLazy()).toBe(false);
  });

  test('a page that scrolls is laid out at once', () => {
    dispatchEvent(new Event('scroll'));
    expect(isLazy()).toBe(false);
  });

  test('a new hash lays out the page at once, and scrolls to its section again', () => {
    const scrollIntoView = jest.fn();
    Object.assign(document.getElementById('contact') as HTMLElement, { scrollIntoView });
    location.hash = '#contact';
    dispatchEvent(new Event('hashchange'));
    expect(isLazy()).toBe(false);
    expect(scrollIntoView).toHaveBeenCalledTimes(1);
  });

  test('once all heights are known, sections far from the window may be skipped', async () => {
    expect(skipsFarSections()).toBe(false);
    await layOutAll();
    expect(skipsFarSections()).toBe(true);
  });

  test('sections are skipped only after the visitor has left a text field', async () => {
    const field = document.createElement('input');
    document.querySelector('#contact')?.append(field);
    field.focus();
    await layOutAll();
    expect(skipsFarSections()).toBe(false);
    field.blur();
    await layOutAll();
    expect(skipsFarSections()).toBe(true);
  });

  test('another width of the window lays out every section again, another height does not', async () => {
    await layOutAll();
    dispatchEvent(new Event('resize'));
    expect(skipsFarSections()).toBe(true);
    jest.replaceProperty(window, 'innerWidth', 500);
    dispatchEvent(new Event('resize'));
    expect(skipsFarSections()).toBe(false);
    jest.advanceTimersByTime(1000);
    expect(skipsFarSections()).toBe(true);
  });

  test('once every section was on screen, none is skipped any more', async () => {
    await layOutAll();
    const [last, ...others] = document.querySelectorAll('[data-remote="mf-content"] > section');
    comesIntoView(others);
    jest.advanceTimersByTime(1000);
    expect(skipsFarSections()).toBe(true);
    comesIntoView([last as Element]);
    jest.advanceTimersByTime(1000);
    expect(skipsFarSections()).toBe(false);
    textChangesSize();
    await layOutAll();
    expect(skipsFarSections()).toBe(false);
  });

  test('another size of the text lays out every section again', async () => {
    textChangesSize();
    expect(skipsFarSections()).toBe(false);
    await layOutAll();
    textChangesSize();
    expect(skipsFarSections()).toBe(false);
    jest.advanceTimersByTime(1000);
    expect(skipsFarSections()).toBe(true);
  });

  test('ends before the splash does', () => {
    jest.spyOn(performance, 'now').mockReturnValue(2000);
    runInline(splashScript);
    jest.advanceTimersByTime(0);
    expect(isLazy()).toBe(false);
  });
});

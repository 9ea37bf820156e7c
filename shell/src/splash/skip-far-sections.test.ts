import { skipFarSections } from './skip-far-sections.ts';

const root = document.documentElement;

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  root.removeAttribute('data-lazy-layout');
  root.removeAttribute('data-heights-known');
});

const isLazy = () => root.hasAttribute('data-lazy-layout');

const laidOut = () => document.querySelectorAll('[data-laid-out]').length;
const skipsFarSections = () => root.hasAttribute('data-heights-known');

/** Runs all steps, and then the frames in which the browser records the heights. */
async function layOutAll(): Promise<void> {
  jest.advanceTimersByTime(1000);
  await document.fonts.ready;
  jest.advanceTimersByTime(1000);
}

let textChangesSize: () => void;
let comesIntoView: (sections: readonly Element[]) => void;

beforeEach(() => {
  jest.useFakeTimers();
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
  root.setAttribute('data-lazy-layout', '');
  skipFarSections();
});

test('far sections: every slot below the header is laid out, three at a time', () => {
  expect(laidOut()).toBe(0);
  for (const expected of [3, 6, 7]) {
    expect(isLazy()).toBe(true);
    jest.advanceTimersToNextTimer();
    expect(laidOut()).toBe(expected);
  }
  expect(document.querySelector('[data-remote="mf-header"]')).not.toHaveAttribute('data-laid-out');
  expect(isLazy()).toBe(false);
});

test('far sections: once all heights are known, sections far from the window may be skipped', async () => {
  expect(skipsFarSections()).toBe(false);
  await layOutAll();
  expect(skipsFarSections()).toBe(true);
});

test('far sections: sections are skipped only after the visitor has left a text field', async () => {
  const field = document.createElement('input');
  document.querySelector('#contact')?.append(field);
  field.focus();
  await layOutAll();
  expect(skipsFarSections()).toBe(false);
  field.blur();
  await layOutAll();
  expect(skipsFarSections()).toBe(true);
});

test('far sections: another width of the window lays out every section again, another height does not', async () => {
  await layOutAll();
  dispatchEvent(new Event('resize'));
  expect(skipsFarSections()).toBe(true);
  jest.replaceProperty(window, 'innerWidth', 500);
  dispatchEvent(new Event('resize'));
  expect(skipsFarSections()).toBe(false);
  jest.advanceTimersByTime(1000);
  expect(skipsFarSections()).toBe(true);
});

test('far sections: once every section was on screen, none is skipped any more', async () => {
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

test('far sections: another size of the text lays out every section again', async () => {
  textChangesSize();
  expect(skipsFarSections()).toBe(false);
  await layOutAll();
  textChangesSize();
  expect(skipsFarSections()).toBe(false);
  jest.advanceTimersByTime(1000);
  expect(skipsFarSections()).toBe(true);
});

test('far sections: no section is laid out while a part loads or hydrates, for four seconds', () => {
  const [slot] = document.querySelectorAll('[data-remote="mf-content"]');
  for (const [state, version] of [
    ['loading', undefined],
    ['running', undefined],
    ['running', '1.0.0'],
  ] as const) {
    slot?.setAttribute('data-state', state);
    if (version !== undefined) slot?.setAttribute('data-version', version);
    jest.advanceTimersByTime(1000);
    expect(laidOut() > 0).toBe(version !== undefined);
  }
});

test('far sections: a part that never hydrates delays the layout for four seconds at most', () => {
  document.querySelector('[data-remote="mf-content"]')?.setAttribute('data-state', 'loading');
  jest.advanceTimersByTime(1000);
  expect(laidOut()).toBe(0);
  jest.spyOn(performance, 'now').mockReturnValue(4000);
  jest.advanceTimersByTime(1000);
  expect(isLazy()).toBe(false);
});

test('far sections: a page whose layout is not deferred any more is laid out at once', () => {
  root.removeAttribute('data-lazy-layout');
  jest.advanceTimersToNextTimer();
  expect(laidOut()).toBe(7);
});

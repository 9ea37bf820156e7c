import { skipFarSections } from './skip-far-sections.ts';

const root = document.documentElement;
const skipsFarSections = () => root.hasAttribute('data-heights-known');

let textChangesSize: () => void;

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
  });
  document.body.innerHTML = '<a class="skip-link">Skip to content</a><div data-remote="mf-content"></div>';
  root.setAttribute('data-lazy-layout', '');
  skipFarSections();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  root.removeAttribute('data-lazy-layout');
  root.removeAttribute('data-heights-known');
});

/** Waits until the browser is idle, for the fonts, and then for the frames in which the browser records the heights. */
async function layOut(): Promise<void> {
  jest.advanceTimersByTime(1000);
  await document.fonts.ready;
  jest.advanceTimersByTime(1000);
}

test('far sections: once all heights are known, sections far from the window may be skipped', async () => {
  expect(skipsFarSections()).toBe(false);
  await layOut();
  expect(root).not.toHaveAttribute('data-lazy-layout');
  expect(skipsFarSections()).toBe(true);
});

test('far sections: sections are skipped only after the visitor has left a text field', async () => {
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  await layOut();
  expect(skipsFarSections()).toBe(false);
  field.blur();
  await layOut();
  expect(skipsFarSections()).toBe(true);
});

test('far sections: another width of the window lays out every section again, another height does not', async () => {
  await layOut();
  dispatchEvent(new Event('resize'));
  expect(skipsFarSections()).toBe(true);
  jest.replaceProperty(window, 'innerWidth', 500);
  dispatchEvent(new Event('resize'));
  expect(skipsFarSections()).toBe(false);
  jest.advanceTimersByTime(1000);
  expect(skipsFarSections()).toBe(true);
});

test('far sections: another size of the text lays out every section again', async () => {
  // An observer calls back when it begins, too.
  textChangesSize();
  expect(skipsFarSections()).toBe(false);
  await layOut();
  textChangesSize();
  expect(skipsFarSections()).toBe(false);
  jest.advanceTimersByTime(1000);
  expect(skipsFarSections()).toBe(true);
});

test('far sections: the rest is laid out when no part loads or hydrates', () => {
  const slot = document.querySelector('[data-remote]');
  for (const state of ['loading', 'running']) {
    slot?.setAttribute('data-state', state);
    jest.advanceTimersByTime(1000);
    expect(root).toHaveAttribute('data-lazy-layout');
  }
  slot?.setAttribute('data-version', '1.0.0');
  jest.advanceTimersByTime(1000);
  expect(root).not.toHaveAttribute('data-lazy-layout');
});

// blind spot (skipped, listeners, Slots, `:is, section, bottom, 0 → 1, outside, slot.set): equivalent but for the frame in which a section changes.
import { slotAttributes } from '@countersign/contracts/page-markup';
import { themeStorageKey, type ThemePreference } from '@countersign/contracts/shell-api';
import { showTheme } from './apply-theme-before-paint.ts';
import { readStoredTheme, storeTheme } from './theme-storage.ts';

/** Attribute of a slot, for `page.css`: the browser skips its sections until the next frames. */
const skippedAttribute = 'data-skipped';

const systemPrefersDark = '(prefers-color-scheme: dark)'; // blind spot: no step knows the theme of the system, but tests of the first paint do.

/**
 * Theme preference: applied to `<html>`, stored, and updated when the system setting or another tab
 * changes it.
 */
export interface ThemeStore {
  subscribe(listener: () => void): () => void;
  get(): ThemePreference;
  set(preference: ThemePreference): void;
}

/** Call it once per page. */
export function createThemeStore(defaultTheme: ThemePreference): ThemeStore {
  const system = matchMedia(systemPrefersDark);
  const listeners = new Set<() => void>();
  let preference = readStoredTheme() ?? defaultTheme;

  // blind spot ('system', 'light'): no step knows the theme of the system, but tests of the first paint do.
  function apply(): void {
    const dark = preference === 'dark' || (preference === 'system' && system.matches);
    showTheme(dark ? 'dark' : 'light');
  }

  function change(next: ThemePreference): void {
    preference = next;
    apply();
    for (const listener of listeners) listener();
  }

  apply(); // blind spot: no step knows the theme of the system, but tests of the first paint do.
  // blind spot: no step changes the system, but an end-to-end test does.
  system.addEventListener('change', apply);
  // blind spot: no step has a second tab, but tests of this file do.
  addEventListener('storage', ({ key }) => {
    // The key is null after `localStorage.clear()`.
    if (key === themeStorageKey || key === null) change(readStoredTheme() ?? defaultTheme);
  });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => preference,
    set(next) {
      storeTheme(next);
      changeInWindowFirst(() => change(next));
    },
  };
}

/** Slots whose sections stand below each other. The browser would take the focus out of one that it skips. */
const sectionSlots = `:is(main > [${slotAttributes.remote}], main ~ [${slotAttributes.remote}]):not(:focus-within)`;

/**
 * Answers a visitor's change of inherited styles early: what the window shows changes at once, and one more section after each
 * frame, because the browser updates the style of each element.
 */
function changeInWindowFirst(change: () => void): void {
  const outside = [...document.querySelectorAll(sectionSlots)].filter((slot) =>
    [...slot.children].every((section) => {
      const { top, bottom } = section.getBoundingClientRect();
      return bottom < 0 || top > innerHeight;
    }),
  );
  for (const slot of outside) slot.setAttribute(skippedAttribute, '');
  change();
  const showNext = () => {
    outside.shift()?.removeAttribute(skippedAttribute);
    if (outside.length > 0) showNextAfterFrame();
  };
  const showNextAfterFrame = () => requestAnimationFrame(() => setTimeout(showNext));
  showNextAfterFrame();
}

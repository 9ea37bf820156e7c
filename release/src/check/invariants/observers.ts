import type { BrowserContextOptions } from 'playwright-core';
import type { Visitor } from '../browser/open-page.ts';
import { rememberFunctions } from './read-page.ts';

interface Observer extends Visitor {
  /** For messages: `a visitor with …`. */
  readonly description: string;
  /** Whether axe looks at the page, and pictures are taken. */
  readonly isThorough?: true;
  /** Whether the page is scrolled and walked through by keys. */
  readonly usesPage?: true;
}

const reduced: BrowserContextOptions = { reducedMotion: 'reduce' };

/** Who looks at the page. They differ in what a part may not notice. */
export const observers = {
  desktop: {
    description: 'a wide window in English',
    settings: {
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'no-preference',
      locale: 'en-US',
      timezoneId: 'America/Los_Angeles',
    },
    before: [rememberFunctions],
    isPatient: true,
    isThorough: true,
    usesPage: true,
  },
  phone: {
    description: 'a window of 390 px, the dark theme, German, and the time of Kiritimati',
    settings: {
      ...reduced,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: 'dark',
      locale: 'de-DE',
      timezoneId: 'Pacific/Kiritimati',
    },
    before: [rememberFunctions],
    isThorough: true,
    usesPage: true,
  },
  tablet: {
    description: 'a window of 768 px, a browser of few features, and the time of Berlin',
    settings: {
      ...reduced,
      viewport: { width: 768, height: 1024 },
      timezoneId: 'Europe/Berlin',
    },
    before: [removeFeatures],
  },
  plain: {
    description: 'no scripts',
    settings: { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false },
  },
} as const satisfies Readonly<Record<string, Observer>>;

export type ObserverName = keyof typeof observers;

/** Runs in the page: takes away what Safari lacks, and what visitors can forbid. */
function removeFeatures(): void {
  Reflect.deleteProperty(globalThis, 'requestIdleCallback');
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, {
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  }
}

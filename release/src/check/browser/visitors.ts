import type { BrowserContextOptions, Page } from 'playwright-core';

/** Who opens a page. What differs between visitors must not break it. */
export interface Visitor {
  readonly settings: BrowserContextOptions;
  /** Runs before the page opens. */
  prepare?(page: Page): Promise<void>;
  /** For messages: `a visitor with …`. */
  readonly description: string;
}

const common: BrowserContextOptions = {
  acceptDownloads: false,
  permissions: [],
  // Without transitions, so that the same page looks the same in two visits.
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
};

export const visitors = {
  desktop: {
    description: 'a wide window in English',
    settings: {
      ...common,
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
      locale: 'en-US',
      timezoneId: 'America/Los_Angeles',
    },
  },
  phone: {
    description: 'a window of 320 px, the dark theme, German, and the time of Kiritimati',
    settings: {
      ...common,
      viewport: { width: 320, height: 700 },
      colorScheme: 'dark',
      locale: 'de-DE',
      timezoneId: 'Pacific/Kiritimati',
    },
  },
  plain: {
    description: 'no scripts',
    settings: { ...common, viewport: { width: 1280, height: 800 }, javaScriptEnabled: false },
  },
  translated: {
    description: 'a translator',
    settings: { ...common, viewport: { width: 390, height: 844 }, reducedMotion: 'no-preference' },
  },
} as const satisfies Readonly<Record<string, Visitor>>;

export type VisitorName = keyof typeof visitors;

import { availableParallelism } from 'node:os';
import type { BrowserContextOptions } from 'playwright-core';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import {
  noteLongTasks,
  rememberFunctions,
  removeFeatures,
  storeTheme,
  translateDocument,
} from './visitor-scripts.ts';

/** A kind of visitor. A page must work for all kinds. */
interface Visitor {
  /** For messages: `a visitor with …`. */
  readonly description: string;
  readonly settings: BrowserContextOptions & { readonly viewport: { width: number; height: number } };
  /** Run in each document, before its scripts. */
  readonly initScripts?: readonly ((themeKey: string) => void)[];
  /** Does not wait for the code of the parts. */
  readonly isEarly?: true;
  /** Its clock is set 15 s ahead, to see what the page changes later. Not where frames are measured. */
  readonly skipsTime?: true;
  /** Compares the page with the live one, before journeys are followed. `thoroughly`: also scrolls, runs axe and takes pictures. */
  readonly inspects?: 'briefly' | 'thoroughly';
}

const reduced: BrowserContextOptions = { reducedMotion: 'reduce' };
const large = { width: 1280, height: 800 } as const;

export type VisitorName = 'patient' | 'wide' | 'narrow' | 'tablet' | 'plain' | 'early' | 'translated';

/** The visitors that inspect the page and follow journeys. A journey may choose one by `at` or `page`, but not `patient` or `tablet`. */
export const visitors: Readonly<Record<VisitorName, Visitor>> = {
  patient: {
    description: 'a window of 1280 px',
    settings: { ...reduced, viewport: large, locale: 'en-US', timezoneId: 'America/Los_Angeles' },
    initScripts: [rememberFunctions, noteLongTasks, storeTheme],
    inspects: 'thoroughly',
  },
  // Follows the journeys of wide windows while `patient` inspects the page, because either takes as long as all other visitors.
  wide: {
    description: 'a window of 1024 × 480 px',
    settings: { ...reduced, viewport: { width: 1024, height: 480 } },
    initScripts: [rememberFunctions],
  },
  narrow: {
    description: 'a window of 390 px, the dark theme, German, and the time of Kiritimati',
    settings: {
      ...reduced,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: 'dark',
      locale: 'de-DE',
      timezoneId: 'Pacific/Kiritimati',
    },
    initScripts: [rememberFunctions, noteLongTasks, storeTheme],
    inspects: 'thoroughly',
  },
  tablet: {
    description: 'a window of 768 px, a browser of few features, and the time of Berlin',
    settings: { ...reduced, viewport: { width: 768, height: 1024 }, timezoneId: 'Europe/Berlin' },
    initScripts: [removeFeatures],
    skipsTime: true,
    inspects: 'briefly',
  },
  plain: {
    description: 'no scripts',
    settings: { viewport: large, javaScriptEnabled: false },
    inspects: 'briefly',
  },
  early: { description: 'no patience', settings: { ...reduced, viewport: large }, isEarly: true },
  translated: {
    description: 'a translated page, and a window of 1920 px',
    settings: { ...reduced, viewport: { width: 1920, height: 1080 } },
    initScripts: [translateDocument],
  },
};

/** For messages. */
export const forVisitor = (name: VisitorName) => `for a visitor with ${visitors[name].description}`;

/** Lets visitors do something, one more at a time than there are cores. With more, each would be so slow that its limits are over. */
export function visitConcurrently<Result>(
  names: Iterable<VisitorName>,
  visit: (name: VisitorName) => Promise<Result>,
): Promise<Result[]> {
  return mapConcurrently(names, visit, availableParallelism() + 1);
}

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Where to look for a browser. */
export interface BrowserLocation {
  /** Value of `BROWSER_PATH`. If it is set, only this browser counts. */
  readonly browserPath: string | undefined;
  /** Value of `PATH`: folders in which commands are found. */
  readonly path: string;
}

/** The system's browsers. The headless shell comes first of them, because a page visit with it takes two thirds of the time. */
const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of an installed Chromium: `BROWSER_PATH`, Playwright's own, or one of the system's. */
export function findBrowser({ browserPath, path }: BrowserLocation): string | undefined {
  if (browserPath !== undefined) return existsSync(browserPath) ? browserPath : undefined;
  const installed = path.split(delimiter).flatMap((folder) => commands.map((name) => join(folder, name)));
  return [chromium.executablePath(), ...installed, ...applications].find((file) => existsSync(file));
}
